/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names an fsync by its caller and its file, as {@code CopyTicket.publish: directory hdd/*}. Stateless. */
final class FsyncName {
    private static final String PACKAGE = FsyncName.class.getPackageName() + ".";
    /** The frames between the caller and the disk. */
    private static final List<String> THROUGH =
            List.of("FsyncName.", "VolatileDisks", "FaultyChannel", "FileOps.force");

    private static final List<String> KAFKA = List.of("TieredFileChannel.", "FakeBroker.", "FakePartition.");
    /** They flush for several callers: the caller above them gives the name. */
    private static final List<String> FOR_OTHERS = List.of("SegmentPath.", "NameDurability.", "FileCopy.");

    private FsyncName() {}

    /**
     * The name of the running fsync.
     *
     * @param place of the file or directory below the disks, whose names end in a digit
     * @return null when it is one of Kafka's own
     */
    static @Nullable String current(boolean directory, Path place) {
        List<String> callers = StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> frame.getClassName().startsWith(PACKAGE))
                        .map(frame -> simpleName(frame) + "." + frame.getMethodName())
                        .filter(name -> startsWithNone(name, THROUGH))
                        .toList());
        if (!startsWithNone(callers.get(0), KAFKA)) {
            return null;
        }
        String caller = callers.stream()
                .filter(name -> startsWithNone(name, FOR_OTHERS))
                .findFirst()
                .orElseThrow();
        return caller + ": " + (directory ? "directory " : "file ") + device(place)
                + (directory ? "/*".repeat(place.getNameCount() - 1) : "");
    }

    /** {@code ssd} or {@code hdd}. */
    static String device(Path place) {
        return place.getName(0).toString().replaceAll("\\d", "");
    }

    private static String simpleName(StackWalker.StackFrame frame) {
        return frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1);
    }

    private static boolean startsWithNone(String name, List<String> starts) {
        return starts.stream().noneMatch(name::startsWith);
    }
}

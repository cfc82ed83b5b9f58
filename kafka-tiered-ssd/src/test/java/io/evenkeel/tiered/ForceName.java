/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Names a force by who asks for it and what it is of, as {@code CopyTicket.publish: directory hdd/*}. Stateless. */
final class ForceName {
    private static final String PACKAGE = ForceName.class.getPackageName() + ".";
    /** What a force passes through on its way to the disk. */
    private static final List<String> THROUGH =
            List.of("ForceName.", "VolatileDisks", "FaultyChannel", "FileOps.force");

    private static final List<String> KAFKA = List.of("TieredFileChannel.", "FakeBroker.", "FakePartition.");
    /** Of a name, many make sure: who it is for tells them apart. */
    private static final List<String> FOR_OTHERS = List.of("SegmentPath.", "NameDurability.", "FileCopy.");

    private ForceName() {}

    /**
     * The name of the force that is under way.
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

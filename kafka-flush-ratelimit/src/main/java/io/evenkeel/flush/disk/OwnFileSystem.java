/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Tells whether a file is on a file system that is mounted for its sake: whole, and not as the root. In a container, a
 * directory of the machine's own file system may be mounted alone; a sync would then write what all other programs of
 * the machine have written. Stateless.
 */
final class OwnFileSystem {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final int ROOT = 3;
    private static final int MOUNT_POINT = 4;

    private OwnFileSystem() {}

    /** False also where the system does not say. */
    static boolean holds(Path file) {
        try {
            return holds(Files.readAllLines(MOUNTS), file.toRealPath());
        } catch (IOException unknown) {
            return false;
        }
    }

    /**
     * The same.
     *
     * @param mounts as in {@code /proc/self/mountinfo}: of two on one mount point, the later one is seen
     * @param file without links
     */
    static boolean holds(List<String> mounts, Path file) {
        Path deepest = Path.of("/");
        boolean own = false;
        for (String mount : mounts) {
            String[] fields = mount.split(" ", -1);
            Path point = Path.of(unescape(fields[MOUNT_POINT]));
            if (file.startsWith(point) && point.startsWith(deepest)) {
                deepest = point;
                own = fields[ROOT].equals("/") && point.getNameCount() > 0;
            }
        }
        return own;
    }

    private static String unescape(String text) {
        return text.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }
}

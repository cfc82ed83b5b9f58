/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A mounted file system, as Linux describes it to this process. Immutable.
 *
 * @param device the numbers of its device, as in {@code 8:1}
 * @param root the directory of the file system that is mounted: in a container, that need not be {@code /}
 * @param options those of the mount and of the file system
 * @param source what is mounted, as in {@code /dev/sda1}
 */
public record Mount(String device, Path root, Path point, Set<String> options, String type, String source) {
    private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
    private static final int DEVICE = 2;
    private static final int ROOT = 3;
    private static final int POINT = 4;
    private static final int OPTIONS = 5;

    /** Follows a field of its own, which ends those whose number varies. */
    private static final String END_OF_TAGS = "-";

    public Mount {
        options = Set.copyOf(options);
    }

    /** The one that holds a file; null where the system does not say. */
    public static @Nullable Mount of(Path file) {
        try {
            return of(Files.readAllLines(MOUNTS), file.toRealPath());
        } catch (IOException unknown) {
            return null;
        }
    }

    /**
     * The same.
     *
     * @param mounts as in {@code /proc/self/mountinfo}: of two on one mount point, the later one is seen
     * @param file without links
     */
    public static @Nullable Mount of(List<String> mounts, Path file) {
        Mount deepest = null;
        for (String line : mounts) {
            Mount mount = parse(line);
            if (file.startsWith(mount.point) && (deepest == null || mount.point.startsWith(deepest.point))) {
                deepest = mount;
            }
        }
        return deepest;
    }

    private static Mount parse(String line) {
        String[] fields = line.split(" ", -1);
        int end = Arrays.asList(fields).indexOf(END_OF_TAGS);
        Set<String> options = new HashSet<>(List.of(fields[OPTIONS].split(",", -1)));
        options.addAll(List.of(fields[fields.length - 1].split(",", -1)));
        return new Mount(
                fields[DEVICE],
                Path.of(unescape(fields[ROOT])),
                Path.of(unescape(fields[POINT])),
                options,
                fields[end + 1],
                unescape(fields[end + 2]));
    }

    private static String unescape(String text) {
        return text.replace("\\040", " ")
                .replace("\\011", "\t")
                .replace("\\012", "\n")
                .replace("\\134", "\\");
    }

    /** Whether it is the root of all others. */
    public boolean isRoot() {
        return point.getNameCount() == 0;
    }

    /** Whether the whole file system is mounted, and not one directory of it. */
    public boolean isWhole() {
        return root.getNameCount() == 0;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool.preflight;

import io.evenkeel.core.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The disk under a file system, as Linux describes it. Immutable.
 *
 * @param sys its directory in {@code /sys}; for a partition, that of the whole disk
 */
record Disk(Path sys) {
    private static final Path DEVICES = Path.of("/sys/dev/block");

    /** Null when it is unknown, as for a network file system. */
    static @Nullable Disk under(Mount mount) {
        return in(DEVICES, mount.device());
    }

    static @Nullable Disk in(Path devices, String device) {
        try {
            Path sys = devices.resolve(device).toRealPath();
            return new Disk(
                    Files.exists(sys.resolve("partition"))
                            ? sys.resolveSibling("").normalize()
                            : sys);
        } catch (IOException unknown) {
            return null;
        }
    }

    /** False also when it is unknown. */
    boolean rotates() {
        return number("rotational") == 1;
    }

    /** How much the kernel reads ahead; -1 when it is unknown. */
    long readAheadKb() {
        return number("read_ahead_kb");
    }

    private long number(String setting) {
        try {
            return Long.parseLong(
                    Files.readString(sys.resolve("queue").resolve(setting)).trim());
        } catch (IOException | NumberFormatException unknown) {
            return -1;
        }
    }
}

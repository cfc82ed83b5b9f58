/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How fast a block device may be written to, by the kernel and by whoever else is in the root group: brokers of the
 * lab. Stateless; {@code lab.bash} takes all limits away in the end.
 *
 * @param device its name as in {@code /sys/block}
 */
record Throttle(String device) {
    /** What {@code lab.bash} holds an HDD to. */
    static final long HDD_BYTES_PER_SECOND = 104_857_600;

    private static final Path LIMITS = Path.of("/sys/fs/cgroup/blkio/blkio.throttle.write_bps_device");
    private static final long HANGS = 1;
    private static final long NONE = 0;

    /** The device that a loop device is on. */
    static Throttle below(String loopDevice) throws IOException {
        Path backing = Path.of("/sys/block", loopDevice, "loop/backing_file");
        return new Throttle(
                Path.of(Files.readString(backing).strip()).getFileName().toString());
    }

    void limit(long bytesPerSecond) throws IOException {
        String number = Files.readString(Path.of("/sys/block", device, "dev")).strip();
        Files.writeString(LIMITS, number + " " + bytesPerSecond);
    }

    /** Lets it hang: what it is asked is done later. */
    void freeze() throws IOException {
        limit(HANGS);
    }

    void thaw() throws IOException {
        limit(NONE);
    }
}

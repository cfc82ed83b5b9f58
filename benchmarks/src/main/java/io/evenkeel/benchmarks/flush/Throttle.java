/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The limit on writes to a block device by all of the root control group: the kernel and the lab's brokers. Stateless;
 * {@code lab.bash} removes all limits at the end.
 *
 * @param device its name as in {@code /sys/block}
 */
record Throttle(String device) {
    /** The limit that {@code lab.bash} sets for an HDD. */
    static final long HDD_BYTES_PER_SECOND = 104_857_600;

    private static final Path BLKIO = Path.of("/sys/fs/cgroup/blkio");
    private static final long HANGS = 1;
    private static final long NONE = 0;

    /** The device that a loop device is on. */
    static Throttle below(String loopDevice) throws IOException {
        Path backing = Path.of("/sys/block", loopDevice, "loop/backing_file");
        return new Throttle(
                Path.of(Files.readString(backing).strip()).getFileName().toString());
    }

    void limit(long bytesPerSecond) throws IOException {
        set("blkio.throttle.write_bps_device", bytesPerSecond);
    }

    /** 0 takes the limit away. */
    void limitOperations(long perSecond) throws IOException {
        set("blkio.throttle.write_iops_device", perSecond);
    }

    private void set(String limits, long value) throws IOException {
        String number = Files.readString(Path.of("/sys/block", device, "dev")).strip();
        Files.writeString(BLKIO.resolve(limits), number + " " + value);
    }

    /** Lets the device hang: its writes wait until {@link #thaw}. */
    void freeze() throws IOException {
        limit(HANGS);
    }

    void thaw() throws IOException {
        limit(NONE);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import io.evenkeel.testkit.BrokerConfig;
import java.nio.file.Path;

/** A tiered broker with two log directories and two SSDs, one of the four on a disk that fails. Stateless. */
final class TwoLogDirs {
    static final long DISK_BYTES = 128L << 20;
    static final int SEGMENT_BYTES = 1 << 20;

    private TwoLogDirs() {}

    /** The first log directory's SSD is on that disk, everything else on healthy ones below {@code dir}. */
    static BrokerConfig onSsd(Path dir, Path disk) {
        BrokerConfig config = config(dir);
        return config.withSsdDirs(disk.resolve("tier"), config.ssdDirs().get(1));
    }

    /** The first log directory is on that disk, everything else on healthy ones below {@code dir}. */
    static BrokerConfig onHdd(Path dir, Path disk) {
        BrokerConfig config = config(dir);
        return config.withLogDirs(disk.resolve("kafka"), config.logDirs().get(1));
    }

    private static BrokerConfig config(Path dir) {
        return BrokerConfig.under(dir.resolve("node"), 2, 2)
                .patched()
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("tiered.ssd.capacity.bytes", DISK_BYTES / 2);
    }
}

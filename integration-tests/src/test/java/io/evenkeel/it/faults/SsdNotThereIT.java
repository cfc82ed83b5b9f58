/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.it.StartRefusal;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * An SSD that is not there, or not as it was, when the broker starts: it says so, does not start, and changes nothing.
 */
@Tag("long")
@Timeout(240)
class SsdNotThereIT {
    private static final long DISK_BYTES = 256L << 20;
    private static final long PER_PARTITION = 3000;

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void emptyMountPointAndReadOnlySsdAreRefusedUntilTheSsdIsBack() throws IOException, InterruptedException {
        LoopDisk ssd = disks.ext4(dir, "ssd", DISK_BYTES);
        BrokerConfig config = BrokerConfig.under(dir.resolve("node"), 1, 0)
                .withSsdDirs(ssd.path())
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", DISK_BYTES / 2)
                .with("tiered.ssd.copy.interval.ms", 3_600_000);
        Records records = new Records("absent", 1, 1000);
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), PER_PARTITION);
        broker.stop();
        assertThat(SegmentFiles.of(config).in(State.ONLY_CACHE)).isNotEmpty();

        ssd.unmount();
        assertThat(refusal(config)).contains("mounted", "Nothing has been changed", "" + ssd.path());
        assertThat(refusal(config.with("tiered.ssd.on.missing", "truncate")))
                .contains("not mounted", "Nothing has been changed");
        assertThat(ssd.path()).isEmptyDirectory();

        ssd.mount();
        ssd.remount("ro");
        assertThat(refusal(config)).contains("mounted read-only", "" + ssd.path());

        ssd.remount("rw");
        broker.start();
        assertThat(records.verifyAll(broker.clientProperties())).isEqualTo(Map.of(0, new Range(0, PER_PARTITION)));
    }

    /** Returns the output of the refused start; asserts that the log directories are unchanged. */
    private static String refusal(BrokerConfig config) throws IOException, InterruptedException {
        Map<Path, Long> before = StartRefusal.files(config.logDirs());
        String said = StartRefusal.of(config);
        assertThat(StartRefusal.files(config.logDirs())).isEqualTo(before);
        return said;
    }
}

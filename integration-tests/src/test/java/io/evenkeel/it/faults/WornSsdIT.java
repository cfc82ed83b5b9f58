/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.it.StartRefusal;
import io.evenkeel.it.tier.TierTool;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.BadSectors;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** A worn SSD, on a real file system, is emptied by the offline drain as far as it can be read. */
@Timeout(240)
class WornSsdIT {
    private static final long DISK_BYTES = 256L << 20;
    private static final long PER_PARTITION = 3000;
    private static final long SPOILT_BYTES = 512 << 10;

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Records records = new Records("worn", 2, 1000);

    private BrokerConfig config(Path ssd) {
        return BrokerConfig.under(dir.resolve("node"), 1, 0)
                .withSsdDirs(ssd)
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", DISK_BYTES / 2)
                .with("tiered.ssd.copy.interval.ms", 3_600_000);
    }

    /** A stopped broker whose records are on the SSD only. */
    private Broker filled(Path ssd) throws IOException, InterruptedException {
        Broker broker = brokers.start(config(ssd));
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), PER_PARTITION);
        broker.stop();
        assertThat(SegmentFiles.of(broker.config()).in(State.ONLY_CACHE)).isNotEmpty();
        return broker;
    }

    /** The broker goes on with an empty SSD in the place of the worn one, and has all records. */
    private void goOnWithANewSsd(Broker broker) throws IOException {
        Path fresh = Files.createDirectory(dir.resolve("fresh"));
        Broker replaced = brokers.start(broker.config().withSsdDirs(fresh));
        Range all = new Range(0, PER_PARTITION);
        assertThat(records.verifyAll(replaced.clientProperties())).isEqualTo(Map.of(0, all, 1, all));
    }

    @Tag("long")
    @Test
    void ssdThatIsMountedReadOnlyIsEmptied() throws IOException, InterruptedException {
        LoopDisk ssd = disks.ext4(dir, "ssd", DISK_BYTES);
        Broker broker = filled(ssd.path());
        ssd.remount("ro");
        assertThat(StartRefusal.of(broker.config())).contains("drain --offline");
        TierTool.Outcome drained = TierTool.of(broker.config()).ok("drain", "--offline");
        assertThat(drained.out()).contains("No link is left", "cannot be emptied", "" + ssd.path());
        assertThat(SegmentFiles.of(broker.config()).in(State.ONLY_CACHE)).isEmpty();
        goOnWithANewSsd(broker);
    }

    /** As the kernel does when an SSD refuses writes. */
    @Tag("long")
    @Test
    void ssdWhoseFileSystemHasTurnedReadOnlyIsEmptied() throws IOException, InterruptedException {
        LoopDisk ssd = disks.ext4(dir, "ssd", DISK_BYTES);
        Broker broker = filled(ssd.path());
        ssd.turnReadOnly();
        assertThat(StartRefusal.of(broker.config())).contains("drain --offline");
        TierTool.Outcome drained = TierTool.of(broker.config()).ok("drain", "--offline");
        assertThat(drained.out()).contains("No link is left", "cannot be emptied", "" + ssd.path());
        assertThat(SegmentFiles.of(broker.config()).in(State.ONLY_CACHE)).isEmpty();
        goOnWithANewSsd(broker);
    }

    @Test
    void fileWithBadSectorsIsNamedAndTheOthersAreCopied() throws IOException, InterruptedException {
        try (BadSectors ssd = BadSectors.create(dir, "ssd", DISK_BYTES)) {
            Broker broker = filled(ssd.path());
            Path bad = someLink(broker.config());
            Path badFile = Files.readSymbolicLink(bad);
            ssd.spoil(badFile, SPOILT_BYTES);
            TierTool.Outcome drained = TierTool.of(broker.config()).run("drain", "--offline");
            assertThat(drained.exit()).isEqualTo(2);
            assertThat(drained.out())
                    .contains(bad + ": " + badFile + " cannot be read: bytes " + SPOILT_BYTES + "-")
                    .contains("of " + Files.size(badFile));
            assertThat(links(broker.config())).containsExactly(bad);

            ssd.mend();
            TierTool.of(broker.config()).ok("drain", "--offline");
            assertThat(ssd.path().resolve("lost+found").resolveSibling("tiered-ssd.properties"))
                    .doesNotExist();
            goOnWithANewSsd(broker);
        }
    }

    private static Path someLink(BrokerConfig config) throws IOException {
        return links(config).stream()
                .filter(link -> link.toString().contains("worn-0/00000000000000000000.log"))
                .findFirst()
                .orElseThrow();
    }

    private static List<Path> links(BrokerConfig config) throws IOException {
        try (Stream<Path> files = Files.walk(config.logDirs().get(0))) {
            return files.filter(Files::isSymbolicLink).toList();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.tier.TierTool;
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
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** File systems that keep times in whole seconds: a copy is recognised after a restart, and by the tool. */
@Tag("long")
@Timeout(180)
class WholeSecondsIT {
    private static final long DISK_BYTES = 256L << 20;
    private static final long PER_PARTITION = 5500;
    private static final int COPIES = 5;
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Records records = new Records("coarse", 1, 1000);

    @ParameterizedTest
    @ValueSource(strings = {"hdd", "ssd"})
    void copiesStayOnTheSsdAtARestart(String coarse) throws Exception {
        LoopDisk disk = disks.coarseExt4(dir, "disk", DISK_BYTES);
        BrokerConfig config = BrokerConfig.under(dir.resolve("node"), 1, 1)
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", DISK_BYTES / 2)
                .with("tiered.ssd.copy.interval.ms", 100);
        config = coarse.equals("hdd")
                ? config.withLogDirs(disk.path().resolve("kafka"))
                : config.withSsdDirs(disk.path().resolve("tier"));
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), PER_PARTITION);
        await().atMost(DEADLINE).until(() -> copies(broker) >= COPIES);
        int before = copies(broker);

        broker.restart();
        assertThat(copies(broker)).isGreaterThanOrEqualTo(before);
        TierTool tool = TierTool.of(config);
        assertThat(tool.ok("status").out()).contains("No problems");
        assertThat(tool.ok("verify", "--json").json().at("/same").asInt()).isGreaterThanOrEqualTo(before);
        assertThat(records.verifyAll(broker.clientProperties())).isEqualTo(Map.of(0, new Range(0, PER_PARTITION)));
    }

    private int copies(Broker broker) {
        return SegmentFiles.of(broker.config())
                .of(records.topic())
                .in(State.CACHED)
                .size();
    }
}

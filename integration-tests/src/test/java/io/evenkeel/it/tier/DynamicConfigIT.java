/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static io.evenkeel.testkit.SegmentFiles.State.CACHED;
import static io.evenkeel.testkit.SegmentFiles.State.ONLY_CACHE;
import static io.evenkeel.testkit.SegmentFiles.State.WITHOUT_CACHE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Tool;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The tier's keys, changed on a running broker with Kafka's own {@code kafka-configs.sh}. */
class DynamicConfigIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void aChangeHoldsAtOnceAndAfterARestartAndUntilItIsTakenBack() throws Exception {
        BrokerConfig config = config();
        Broker broker = brokers.start(config);
        Records records = new Records("dynamic", 1, 1000);
        new Topics(broker).create(records, Map.of());

        assertThat(alter(broker, "1", "tiered.ssd.mode=paused").exit()).isZero();
        awaitLog(broker, "Settings of the SSD tier have changed: tiered.ssd.mode from on to paused");
        records.produce(broker.clientProperties(), 3000);
        assertThat(describe(broker, "--entity-name", "1"))
                .contains("tiered.ssd.mode=paused sensitive=false")
                .contains("DYNAMIC_BROKER_CONFIG:tiered.ssd.mode=paused");
        // the segment from before is on the SSD and stays, the next ones are not
        assertThat(SegmentFiles.of(config).of("dynamic").in(ONLY_CACHE)).hasSize(1);
        assertThat(SegmentFiles.of(config).of("dynamic").in(WITHOUT_CACHE)).hasSizeGreaterThanOrEqualTo(2);

        Files.delete(broker.logFile());
        broker.restart();
        awaitLog(broker, "Settings of the SSD tier have changed: tiered.ssd.mode from on to paused");
        records.produce(broker.clientProperties(), 3000);
        assertThat(SegmentFiles.of(config).of("dynamic").in(ONLY_CACHE)).hasSize(1);
        assertThat(SegmentFiles.of(config).of("dynamic").in(CACHED)).isEmpty();

        assertThat(Tool.brokerConfigs(
                                dir, broker, "--alter", "--entity-name", "1", "--delete-config", "tiered.ssd.mode")
                        .exit())
                .isZero();
        awaitLog(broker, "Settings of the SSD tier have changed: tiered.ssd.mode from paused to on");
        await("copied")
                .atMost(DEADLINE)
                .until(() -> !SegmentFiles.of(config).of("dynamic").in(CACHED).isEmpty());
        records.verifyAll(broker.clientProperties());
    }

    @Test
    void whatIsNotRightIsRefusedByTheCommand() throws Exception {
        Broker broker = brokers.start(config());
        refused(
                broker,
                "1",
                "tiered.ssd.mod=paused",
                "Unknown key tiered.ssd.mod=paused; did you mean tiered.ssd.mode?");
        refused(broker, "1", "tiered.ssd.mode=off", "Invalid value off for configuration tiered.ssd.mode");
        refused(broker, "1", "tiered.ssd.copy.interval.ms=-1", "tiered.ssd.copy.interval.ms=-1: must be positive");
        refused(
                broker,
                "1",
                "tiered.ssd.dirs=/mnt/other",
                "tiered.ssd.dirs cannot be changed while the broker runs: set it in server.properties and restart");
        String together = "tiered.ssd.low.watermark.ratio=0.95: must be below tiered.ssd.high.watermark.ratio=0.9";
        refused(broker, "1", "tiered.ssd.low.watermark.ratio=0.95", together);
        refused(broker, "", "tiered.ssd.low.watermark.ratio=0.95", together);
        refused(broker, "", "tiered.ssd.excluded.topics=[a.*,(]", "tiered.ssd.excluded.topics");

        assertThat(describe(broker, "--entity-default")).doesNotContain("tiered.ssd.");

        assertThat(alter(broker, "", "tiered.ssd.high.watermark.ratio=0.97").exit())
                .isZero();
        awaitLog(broker, "tiered.ssd.high.watermark.ratio from 0.9 to 0.97");
        assertThat(alter(broker, "1", "tiered.ssd.low.watermark.ratio=0.95,log.cleaner.threads=2")
                        .exit())
                .isZero();
        awaitLog(broker, "tiered.ssd.low.watermark.ratio from 0.8 to 0.95");
        assertThat(describe(broker, "--entity-default")).contains("tiered.ssd.high.watermark.ratio=0.97");
        assertThat(Files.readString(broker.logFile())).doesNotContain("ERROR Per-broker configs");
    }

    @Tag("long")
    @Test
    void aBrokerWithoutTheTierAcceptsItsKeys() throws Exception {
        BrokerConfig off = BrokerConfig.under(dir.resolve("node"), 1, 0).patched();
        Broker broker = brokers.start(off);
        assertThat(alter(broker, "", "tiered.ssd.mode=paused").exit()).isZero();
        refused(broker, "", "tiered.ssd.mod=on", "did you mean tiered.ssd.mode?");
        broker.restart();
        assertThat(describe(broker, "--entity-default")).contains("tiered.ssd.mode=paused sensitive=false");
    }

    @Test
    void aFileOfTheAgentLosesToWhatIsSet() throws Exception {
        Path file = Files.writeString(dir.resolve("ours.properties"), "tiered.ssd.mode=paused\n");
        BrokerConfig config = config().patched();
        BrokerConfig withFile = config.withAgent(Path.of(config.agentJar() + "=config=" + file));
        Broker broker = brokers.start(withFile);
        assertThat(alter(broker, "1", "tiered.ssd.mode=on").exit()).isZero();
        awaitLog(broker, "Settings of the SSD tier have changed: tiered.ssd.mode from paused to on");
    }

    private BrokerConfig config() {
        return BrokerConfig.under(dir.resolve("node"), 1, 1)
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", 64 << 20)
                .with("tiered.ssd.copy.interval.ms", 100);
    }

    /** @param broker its id, or empty for all */
    private Tool.Outcome alter(Broker to, String broker, String config) throws IOException, InterruptedException {
        return broker.isEmpty()
                ? Tool.brokerConfigs(dir, to, "--alter", "--entity-default", "--add-config", config)
                : Tool.brokerConfigs(dir, to, "--alter", "--entity-name", broker, "--add-config", config);
    }

    private void refused(Broker to, String broker, String config, String message)
            throws IOException, InterruptedException {
        Tool.Outcome outcome = alter(to, broker, config);
        assertThat(outcome.said()).contains(message);
        assertThat(outcome.exit()).as(outcome.said()).isNotZero();
    }

    private String describe(Broker to, String... which) throws IOException, InterruptedException {
        return Tool.brokerConfigs(dir, to, "--describe", which).said();
    }

    private static void awaitLog(Broker broker, String line) {
        await(line)
                .atMost(DEADLINE)
                .until(() -> Files.readString(broker.logFile()).contains(line));
    }
}

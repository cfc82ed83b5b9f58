/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The command line tool on the disks of a real broker, while it runs and after it was stopped. */
class TieredSsdToolIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final String MODE = "tiered.ssd.mode";

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private BrokerConfig config;
    private TierTool tool;
    private Records records;

    @BeforeEach
    void configure() {
        config = BrokerConfig.under(dir.resolve("node"), 2, 1)
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("log.retention.check.interval.ms", 500)
                .with("log.segment.delete.delay.ms", 1000)
                .with("tiered.ssd.capacity.bytes", 16 << 20)
                .with("tiered.ssd.high.watermark.ratio", "0.7")
                .with("tiered.ssd.low.watermark.ratio", "0.5")
                .with("tiered.ssd.copy.interval.ms", 100);
        tool = TierTool.of(config);
        records = new Records("tools", 2, 4000);
    }

    private Broker brokerWithSegmentsInAllStates() {
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        for (int i = 0; i < 8; i++) {
            records.produce(broker.clientProperties(), 500);
            await().atMost(DEADLINE).until(() -> files().in(State.ONLY_CACHE).size() <= 2);
        }
        await().atMost(DEADLINE)
                .until(() -> List.of(State.values()).stream()
                        .noneMatch(state -> files().in(state).isEmpty()));
        return broker;
    }

    private SegmentFiles files() {
        return SegmentFiles.of(config).of("tools");
    }

    @Test
    void whatTheToolSaysIsWhatTheDisksHoldWhetherTheBrokerRunsOrNot() throws Exception {
        Broker broker = brokerWithSegmentsInAllStates();
        sameAsTheDisks();
        assertThat(tool.ok("evictions").out()).contains("so it is not due");
        broker.stop();
        sameAsTheDisks();
    }

    /** On a broker at rest. */
    private void sameAsTheDisks() throws IOException, InterruptedException {
        SegmentFiles files = files();
        JsonNode status = tool.ok("status", "--topic", "tools", "--json").json();
        assertThat(status.at("/problems").isEmpty()).as(status.toString()).isTrue();
        for (State state : State.values()) {
            String field = Map.of(
                            State.ONLY_CACHE, "onlyCache", State.CACHED, "cached", State.WITHOUT_CACHE, "withoutCache")
                    .get(state);
            long segments = 0;
            long bytes = 0;
            for (JsonNode partition : status.at("/partitions")) {
                segments += partition.at("/amounts/" + field + "/segments").asLong();
                bytes += partition.at("/amounts/" + field + "/bytes").asLong();
            }
            assertThat(segments).as(field).isEqualTo(files.in(state).size());
            assertThat(bytes).as(field).isEqualTo(files.bytesIn(state));
            Segment segment = files.in(state).get(0);
            JsonNode explained = tool.ok("explain", "tools-" + segment.partition(), "" + segment.baseOffset(), "--json")
                    .json();
            assertThat(explained.at("/path").asText()).isEqualTo(segment.path().toString());
            assertThat(explained.at("/state").asText()).isEqualTo(state.name());
        }
        assertThat(tool.ok("status").out()).contains("LOG DIRECTORY", "SSD DIRECTORY", "No problems.");
        assertThat(tool.ok("verify", "--json").json().at("/same").asInt())
                .isGreaterThanOrEqualTo(files.in(State.CACHED).size());
    }

    @Test
    void verifyFindsNoFaultWithABrokerAtWork() throws Exception {
        Broker broker = brokerWithSegmentsInAllStates();
        Thread producing = new Thread(() -> records.produce(broker.clientProperties(), 6000));
        producing.start();
        try {
            do {
                assertThat(tool.ok("verify").out()).contains("findings                0");
            } while (producing.isAlive());
        } finally {
            producing.join(DEADLINE.toMillis());
        }
        assertThat(records.verifyAll(broker.clientProperties()).values())
                .allMatch(range -> range.first() == 0 && range.end() == 10_000);
    }

    @Test
    void verifyFindsAByteThatHasFlipped() throws Exception {
        Broker broker = brokerWithSegmentsInAllStates();
        Segment segment = files().in(State.CACHED).get(0);
        flipAByte(segment.path(), segment.bytes() - 1);
        for (boolean running : new boolean[] {true, false}) {
            TierTool.Outcome outcome = tool.run("verify", "--json");
            assertThat(outcome.exit()).as("running: " + running).isEqualTo(1);
            assertThat(outcome.json().at("/findings").findValuesAsText("path"))
                    .containsExactly(segment.path().toString());
            broker.stop();
        }
    }

    private static void flipAByte(Path file, long position) throws IOException {
        FileTime time = Files.getLastModifiedTime(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, position);
            channel.write(ByteBuffer.wrap(new byte[] {(byte) ~one.get(0)}), position);
        }
        Files.setLastModifiedTime(file, time);
    }

    @Tag("long")
    @Test
    void offlineDrainWaitsForTheBrokerToStop() throws Exception {
        Broker broker = brokerWithSegmentsInAllStates();
        TierTool.Outcome refused = tool.run("drain", "--offline");
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).hasLineCount(1).startsWith("A broker runs on ");
        broker.kill();
        assertThat(tool.ok("drain", "--offline").out()).contains("No link is left", "are empty");
        assertThat(config.ssdDirs().get(0)).isEmptyDirectory();
        broker.start();
        assertThat(records.verifyAll(broker.clientProperties()).values())
                .allMatch(range -> range.first() == 0 && range.end() == 4000);
        records.produce(broker.clientProperties(), 500);
        assertThat(files().in(State.ONLY_CACHE)).as("the tier begins anew").isNotEmpty();
    }

    @Tag("long")
    @Test
    void drainOfARunningBrokerEndsWhenNothingIsOnItsSsd() throws Exception {
        Broker broker = brokerWithSegmentsInAllStates();
        TierTool.Outcome done = tool.ok("drain", "--bootstrap-server", broker.bootstrap(), "--json");
        assertThat(done.json().at("/links").asInt()).isZero();
        assertThat(done.json().at("/ssdBytes").asLong()).isZero();
        assertThat(done.err()).contains("node 1 drains its SSDs");
        assertThat(SegmentFiles.of(config).in(State.ONLY_CACHE)).isEmpty();
        await().atMost(DEADLINE)
                .untilAsserted(() -> assertThat(config.ssdDirs().get(0)).isEmptyDirectory());
        assertThat(records.verifyAll(broker.clientProperties()).values())
                .allMatch(range -> range.first() == 0 && range.end() == 4000);
    }

    @Tag("long")
    @Test
    void drainGoesOnWithoutTheToolUntilItIsCancelled() throws Exception {
        config = config.with("tiered.ssd.copy.bytes.per.second", 1000)
                .with("tiered.ssd.copy.min.bytes.per.second", 1000);
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), 1000);
        Process drain = tool.start("drain", "--bootstrap-server", broker.bootstrap());
        try {
            await().atMost(DEADLINE).until(() -> tool.errSoFar().contains("only on the SSD"));
        } finally {
            drain.destroy(); // as Ctrl-C
            drain.waitFor();
        }
        assertThat(tool.errSoFar()).contains("goes on draining", "add --cancel");
        assertThat(isModeSet(broker)).isTrue();
        tool.ok("drain", "--bootstrap-server", broker.bootstrap(), "--cancel");
        await().atMost(DEADLINE).until(() -> !isModeSet(broker));
        assertThat(files().in(State.ONLY_CACHE)).isNotEmpty();
    }

    @Test
    void brokerOfAnotherClusterIsNotDrained() throws Exception {
        Broker broker = brokers.start(config);
        Path meta = config.logDirs().get(0).resolve("meta.properties");
        Files.writeString(meta, Files.readString(meta).replaceAll("cluster.id=.*", "cluster.id=another"));
        TierTool.Outcome refused = tool.run("drain", "--bootstrap-server", broker.bootstrap());
        assertThat(refused.exit()).isEqualTo(2);
        assertThat(refused.err()).contains("The disks belong to cluster another");
    }

    /** As a dynamic config of this broker alone. */
    private static boolean isModeSet(Broker broker) throws Exception {
        ConfigResource node = new ConfigResource(ConfigResource.Type.BROKER, "1");
        try (Admin admin = Admin.create(broker.clientProperties())) {
            return admin.describeConfigs(List.of(node)).all().get(30, TimeUnit.SECONDS).values().stream()
                    .flatMap(config -> config.entries().stream())
                    .anyMatch(entry -> entry.name().equals(MODE)
                            && entry.source() == ConfigEntry.ConfigSource.DYNAMIC_BROKER_CONFIG);
        }
    }
}

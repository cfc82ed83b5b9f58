/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Tool;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code KAFKA_OPTS} reaches every command line tool: with the agent in it, a tool behaves as without. */
@Tag("long")
class ToolsIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void toolsBehaveAsWithoutTheAgent() throws Exception {
        BrokerConfig config = BrokerConfig.under(dir.resolve("node"), 1, 1)
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", 64 << 20)
                .with("tiered.ssd.copy.interval.ms", 100);
        Records records = new Records("tools", 2, 1000);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        topics.create(records, Map.of());
        topics.commit("readers", "tools", 0, 10);
        records.produce(broker.clientProperties(), 3000);
        await().atMost(DEADLINE)
                .until(() ->
                        SegmentFiles.of(config).of("tools").in(State.CACHED).size() >= 4);
        compareTools(
                broker.bootstrap(),
                config.nodeDir().resolve("server.properties").toString());
        for (State state : List.of(State.ONLY_CACHE, State.CACHED)) {
            Segment segment = SegmentFiles.of(config).of("tools").in(state).get(0);
            Tool.Outcome dump = sameWithTheAgent(
                    0,
                    "org.apache.kafka.tools.DumpLogSegments",
                    "--deep-iteration",
                    "--files",
                    segment.path().toString());
            assertThat(dump.out()).contains("offset: " + segment.baseOffset());
        }
    }

    private void compareTools(String bootstrap, String properties) throws Exception {
        sameWithTheAgent(0, "kafka.tools.StorageTool", "info", "--config", properties);
        sameWithTheAgent(1, "kafka.tools.StorageTool", "format", "--cluster-id", "other", "--config", properties);
        sameWithTheAgent(0, "org.apache.kafka.tools.TopicCommand", "--bootstrap-server", bootstrap, "--describe");
        sameWithTheAgent(
                1,
                "org.apache.kafka.tools.TopicCommand",
                "--bootstrap-server",
                bootstrap,
                "--describe",
                "--topic",
                "no");
        sameWithTheAgent(
                0, "org.apache.kafka.tools.GetOffsetShell", "--bootstrap-server", bootstrap, "--topic", "tools");
        sameWithTheAgent(0, "org.apache.kafka.tools.LogDirsCommand", "--bootstrap-server", bootstrap, "--describe");
        sameWithTheAgent(
                0,
                "org.apache.kafka.tools.consumer.group.ConsumerGroupCommand",
                "--bootstrap-server",
                bootstrap,
                "--describe",
                "--all-groups");
        sameWithTheAgent(
                0,
                "kafka.admin.ConfigCommand",
                "--bootstrap-server",
                bootstrap,
                "--alter",
                "--topic",
                "tools",
                "--add-config",
                "retention.ms=86400000");
        sameWithTheAgent(
                0, "kafka.admin.ConfigCommand", "--bootstrap-server", bootstrap, "--describe", "--topic", "tools");
    }

    /** Returns the tool's outcome, which is the same with and without the agent and is not empty. */
    private Tool.Outcome sameWithTheAgent(int exit, String tool, String... arguments) throws Exception {
        Tool plain = new Tool(tool, dir, List.of());
        Tool.Outcome without = timeless(plain.run(arguments));
        Tool.Outcome with = timeless(plain.patched().run(arguments));
        assertThat(with).as(tool).isEqualTo(without);
        assertThat(without.exit()).as(without.toString()).isEqualTo(exit);
        assertThat(without.out() + without.err()).as(tool).isNotEmpty();
        return with;
    }

    private static Tool.Outcome timeless(Tool.Outcome outcome) {
        return new Tool.Outcome(outcome.exit(), timeless(outcome.out()), timeless(outcome.err()));
    }

    private static String timeless(String output) {
        return output.replaceAll("\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z", "<time>");
    }
}

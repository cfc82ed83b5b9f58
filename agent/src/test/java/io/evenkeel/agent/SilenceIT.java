/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.internal.FileRecords;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code KAFKA_OPTS} brings the agent into every command line tool; there it must not be noticed. */
@Tag("slow")
class SilenceIT {
    private static final Pattern LOADED_FROM_AGENT = Pattern.compile("(\\S+) source: file:\\S*evenkeel-agent");

    @ParameterizedTest
    @CsvSource({
        "kafka.tools.StorageTool --help, usage: kafka-storage",
        "org.apache.kafka.tools.TopicCommand --list, --bootstrap-server must be specified",
    })
    void aToolIsAsWithoutTheAgent(String tool, String says) throws Exception {
        Forked stock = Forked.run(List.of(), tool.split(" ", -1));
        assertThat(stock.out() + stock.err()).contains(says);
        Forked with = Forked.run(List.of("-javaagent:" + Forked.AGENT + "=no such=option"), tool.split(" ", -1));
        assertThat(withoutOurKey(with)).isEqualTo(stock);
        assertThat(with.out() + with.err()).doesNotContain("evenkeel");
        Forked twice =
                Forked.run(List.of("-javaagent:" + Forked.AGENT, "-javaagent:" + Forked.AGENT), tool.split(" ", -1));
        assertThat(withoutOurKey(twice)).isEqualTo(stock);
    }

    /** {@code kafka-topics.sh} lists all topic configs in its help. */
    private static Forked withoutOurKey(Forked tool) {
        String ours = "(?m)^\\s*tiered\\.ssd\\.follower\\.placement\\s*\\R";
        return new Forked(
                tool.exitCode(), tool.out().replaceAll(ours, ""), tool.err().replaceAll(ours, ""));
    }

    @Test
    void aToolThatReadsSegmentsIsAsWithoutTheAgent(@TempDir Path dir) throws Exception {
        File segment = dir.resolve("00000000000000000000.log").toFile();
        try (FileRecords records = FileRecords.open(segment)) {
            records.append(
                    MemoryRecords.withRecords(Compression.NONE, new SimpleRecord(1, "a record".getBytes(UTF_8))));
        }
        String[] tool = {"org.apache.kafka.tools.DumpLogSegments", "--print-data-log", "--files", segment.getPath()};
        Forked stock = Forked.run(List.of(), tool);
        assertThat(stock.out()).contains("payload: a record");
        assertThat(Forked.run(List.of("-javaagent:" + Forked.AGENT), tool)).isEqualTo(stock);
    }

    @Test
    void aToolLoadsNothingOfOursButTheQuestionWhetherItIsABroker() throws Exception {
        Forked tool = Forked.run(
                List.of("-javaagent:" + Forked.AGENT, "-Xlog:class+load"), "kafka.tools.StorageTool", "--help");
        assertThat(LOADED_FROM_AGENT.matcher(tool.out()).results().map(match -> match.group(1)))
                .contains(Agent.class.getName(), MainClass.class.getName())
                .allMatch(name -> name.startsWith("io.evenkeel.agent."));
    }
}

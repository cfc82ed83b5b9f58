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
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The SSD of the only broker loses files, and {@code on.missing=truncate} truncates the tail of each affected log. */
@Timeout(600)
class LostSsdOfOnlyReplicaIT {
    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void onlyReplicaTruncatesExactlyTheTail() throws Exception {
        BrokerConfig config = BrokerConfig.under(dir.resolve("node"), 1, 1)
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", 256 << 20)
                .with("tiered.ssd.copy.interval.ms", "3600000");
        Broker broker = brokers.start(config);
        Records cut = new Records("cut", 1, 1000);
        Records whole = new Records("whole", 1, 1000);
        Records gone = new Records("gone", 1, 1000);
        for (Records records : List.of(cut, whole, gone)) {
            new Topics(broker).create(records, Map.of());
            records.produce(broker.clientProperties(), 3000);
        }
        new Topics(broker).deleteRecordsBefore("gone", 0, 500);
        broker.stop();
        List<Segment> segments = segments(config, "cut");
        assertThat(segments).hasSizeGreaterThan(2).allMatch(segment -> segment.state() == State.ONLY_CACHE);
        Segment lost = segments.get(1);
        Files.delete(Objects.requireNonNull(lost.ssdFile()));
        for (Segment segment : segments(config, "gone")) {
            Files.delete(Objects.requireNonNull(segment.ssdFile()));
        }

        assertThat(StartRefusal.of(config)).contains("lacks files", "" + lost.path());
        broker = brokers.start(config.with("tiered.ssd.on.missing", "truncate"));
        assertThat(Files.readString(broker.logFile()))
                .contains("Truncating cut-0 to offset " + lost.baseOffset() + " in ")
                .contains("The log ended at offset 3000")
                .contains("Truncating gone-0 to offset 0 in ")
                .doesNotContain("Truncating whole-0")
                .contains("tiered.ssd.on.missing=truncate is set");
        verifyTruncated(config, broker, lost.baseOffset(), cut, whole, gone);
    }

    /** The records before the lost segment stay, new records follow them, and all are there after the next starts. */
    private void verifyTruncated(
            BrokerConfig config, Broker truncated, long lostOffset, Records cut, Records whole, Records gone) {
        Broker broker = truncated;
        Properties client = broker.clientProperties();
        assertThat(cut.verifyAll(client)).isEqualTo(Map.of(0, new Range(0, lostOffset)));
        assertThat(whole.verifyAll(client)).isEqualTo(Map.of(0, new Range(0, 3000)));
        assertThat(gone.verifyAll(client)).isEqualTo(Map.of(0, new Range(500, 500)));
        for (Records records : List.of(cut, whole, gone)) {
            records.produce(client, 1000);
        }
        broker.stop();
        broker = brokers.start(config);
        assertThat(cut.verifyAll(client)).isEqualTo(Map.of(0, new Range(0, lostOffset + 1000)));
        assertThat(gone.verifyAll(client)).isEqualTo(Map.of(0, new Range(500, 1500)));
        broker.stop();
        Broker stock = brokers.start(config.stock());
        assertThat(whole.verifyAll(stock.clientProperties())).isEqualTo(Map.of(0, new Range(0, 4000)));
    }

    private static List<Segment> segments(BrokerConfig config, String topic) {
        return SegmentFiles.of(config).of(topic).segments().stream()
                .sorted(Comparator.comparing(Segment::baseOffset))
                .toList();
    }
}

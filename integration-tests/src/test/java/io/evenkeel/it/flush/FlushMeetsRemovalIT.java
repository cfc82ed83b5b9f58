/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Repeated;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.RecordWriter;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kafka deletes segments and renames logs while they are flushed, which is most of the time here. Neither may take the
 * log directory offline, as it would where a flush takes a closed or missing file for a bad disk.
 */
@Tag("long")
@Timeout(180)
class FlushMeetsRemovalIT {
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int ROUNDS = 20;

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Records records = new Records("removed", 1, 10_000);

    /** KAFKA-19571. */
    @Test
    void segmentsAreDeletedDuringFlushes() throws Exception {
        Broker broker = brokers.start(config(1));
        Topics topics = new Topics(broker);
        topics.create(records, Map.of("file.delete.delay.ms", "0", "segment.bytes", "" + (1 << 20)));
        whileFlushed(broker, () -> {
            for (int i = 0; i < ROUNDS; i++) {
                long end = topics.latest(records.topic(), 0);
                topics.deleteRecordsBefore(records.topic(), 0, end);
                assertThat(topics.earliest(records.topic(), 0)).isEqualTo(end);
                await().atMost(DEADLINE).until(() -> topics.latest(records.topic(), 0) > end + 200);
            }
        });
    }

    /** KAFKA-15572. */
    @Test
    void aLogIsRenamedDuringFlushes() throws Exception {
        BrokerConfig config = config(2);
        Broker broker = brokers.start(config);
        Topics topics = new Topics(broker);
        topics.create(records, Map.of("file.delete.delay.ms", "0", "segment.bytes", "" + (4 << 20)));
        whileFlushed(broker, () -> {
            for (int i = 0; i < ROUNDS / 4; i++) {
                boolean isInFirst = Files.exists(config.logDirs().get(0).resolve("removed-0"));
                Path to = config.logDirs().get(isInFirst ? 1 : 0);
                topics.move(records.topic(), 0, to.toString());
                await().atMost(DEADLINE).until(() -> Files.exists(to.resolve("removed-0")));
            }
        });
        records.verifyAll(broker.clientProperties());
    }

    private void whileFlushed(Broker broker, Repeated.Step step) throws Exception {
        try (Gauges gauges = new Gauges(broker);
                RecordWriter writer = new RecordWriter(records, broker.clientProperties());
                Repeated produce = new Repeated("produce", 5, () -> {
                    for (int i = 0; i < 20; i++) {
                        writer.send(0);
                    }
                    writer.flush();
                })) {
            long flushes = gauges.flush("Flushes");
            step.run();
            produce.throwIfFailed();
            await().atMost(DEADLINE).until(() -> gauges.flush("Flushes") - flushes > ROUNDS); // a gauge is a second old
            assertThat(gauges.flush("FailedLogDirs")).isZero();
        }
        assertThat(broker.said("Stopping serving logs in dir")).isEmpty();
        assertThat(broker.said("Please report this")).isEmpty();
    }

    /** Each log is always due. */
    private BrokerConfig config(int logDirs) {
        return BrokerConfig.under(dir.resolve("broker"), logDirs, 0)
                .patched()
                .with("flush.ratelimit.enable", true)
                .with("flush.ratelimit.max.unflushed.bytes", 64 << 10)
                .with("flush.ratelimit.max.unflushed.ms", 10);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it;

import static io.kafkapatches.it.SegmentFiles.State.CACHED;
import static io.kafkapatches.it.SegmentFiles.State.ONLY_CACHE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The tier on Kafka's own jars in a child JVM. */
class ForkedTieredSsdIT extends TieredSsdContract {
    ForkedTieredSsdIT() {
        super(Brokers.forked());
    }

    @Test
    void copiesEndBeforeKafkaGivesTheLogDirectoriesFree() throws IOException {
        BrokerConfig config = tiered(1, 1)
                .with("tiered.ssd.sync.bytes.per.second", SEGMENT_BYTES)
                .with("tiered.ssd.sync.min.bytes.per.second", SEGMENT_BYTES);
        Records records = new Records("ends", 1, 4000);
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), 4000);
        awaitFiles(config, "ends", files -> !files.in(CACHED).isEmpty());
        broker.stop();
        assertThat(SegmentFiles.of(config).of("ends").in(ONLY_CACHE))
                .as("would have been copied")
                .hasSizeGreaterThan(2);
        assertThat(Files.readString(broker.logFile()))
                .containsPattern("(?s)Copy and eviction have ended.*Shutdown complete\\. \\([a-z.]*LogManager\\)");
    }
}

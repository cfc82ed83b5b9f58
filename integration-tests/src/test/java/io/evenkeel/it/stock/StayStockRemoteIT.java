/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.stock;

import static io.evenkeel.it.stock.Twins.BATCHES;
import static io.evenkeel.it.stock.Twins.SEGMENT_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.it.SameBatches;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * With Kafka's own tiered storage (KIP-405) in addition: what moves to the remote storage, and what is read from there.
 */
class StayStockRemoteIT {
    private static final String STORAGE = "org.apache.kafka.server.log.remote.storage.LocalTieredStorage";

    @RegisterExtension
    static final Twins TWINS = new Twins(StayStockRemoteIT::withRemoteStorage);

    @Test
    void segmentsMoveToTheRemoteStorageAndAreReadFromThere() {
        TWINS.create(
                "remote",
                Map.of("remote.storage.enable", "true", "local.retention.bytes", String.valueOf(4 * SEGMENT_BYTES)));
        SameBatches batches = new SameBatches("remote", System.currentTimeMillis());
        TWINS.both(broker -> batches.append(broker, BATCHES));
        Map<Long, String> remote =
                TWINS.awaitSame(StayStockRemoteIT::remoteSegments, segments -> segments.size() >= 13);
        assertThat(remote).containsKey(0L);
        long local = TWINS.awaitSame(
                broker -> offset(broker, OffsetSpec.earliestLocal()), offset -> offset > 8L * 10 * SameBatches.RECORDS);
        assertThat(local).isLessThan((long) BATCHES * SameBatches.RECORDS);
        TWINS.awaitSame(broker -> offset(broker, OffsetSpec.latestTiered()), offset -> offset >= local - 1);
        long earliest = TWINS.same(broker -> offset(broker, OffsetSpec.earliest()));
        assertThat(earliest).isZero();
        TWINS.awaitSame(broker -> Twins.segmentBytes(broker, "remote"), segments -> segments.size() <= 6);
        List<String> read = TWINS.same(broker -> Reading.all(broker, "remote"));
        assertThat(read).hasSize(BATCHES * SameBatches.RECORDS);
        TWINS.awaitNoStrays();
    }

    private static long offset(Broker broker, OffsetSpec spec) {
        return new Topics(broker).offset("remote", 0, spec).offset();
    }

    /** The segments in the remote storage: a checksum of each by its base offset. */
    private static Map<Long, String> remoteSegments(Broker broker) {
        Map<Long, String> found = new TreeMap<>();
        try (Stream<Path> files = Files.walk(remoteDir(broker.config()))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".log")).toList()) {
                CRC32C crc = new CRC32C();
                byte[] bytes = Files.readAllBytes(file);
                crc.update(bytes);
                long baseOffset = Long.parseLong(file.getFileName().toString().substring(0, 20));
                found.put(baseOffset, bytes.length + "#" + crc.getValue());
            }
            return found;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path remoteDir(BrokerConfig config) {
        return config.nodeDir().resolve("remote");
    }

    /** The storage is in the test jars of Kafka's, which go before its own. */
    private static BrokerConfig withRemoteStorage(BrokerConfig config) {
        Path jars = Path.of(System.getProperty("kafka.test.libs", "integration-tests/target/kafka/test-libs"));
        try {
            Files.createDirectories(remoteDir(config));
            try (Stream<Path> all = Files.list(jars.toAbsolutePath())) {
                return config.withPatchedLibs(all.toList())
                        .with(Map.of(
                                "remote.log.storage.system.enable", "true",
                                "remote.log.storage.manager.class.name", STORAGE,
                                "rsm.config.dir", remoteDir(config).toString(),
                                "rsm.config.delete.on.close", "false",
                                "remote.log.metadata.manager.listener.name", "PLAINTEXT",
                                "rlmm.config.remote.log.metadata.topic.num.partitions", "1",
                                "rlmm.config.remote.log.metadata.topic.replication.factor", "1",
                                "remote.log.manager.task.interval.ms", "300"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.Records.Range;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * A broker whose directories are symbolic links, one in {@code log.dirs} with a slash at the end, one on the SSD with a
 * {@code lost+found}; and a topic with the longest name, which Kafka shortens when it renames the directory.
 */
@Timeout(180)
class OddNamesIT {
    private static final int LONGEST_NAME = 249;
    private static final long PER_PARTITION = 3000;
    private static final Map<Integer, Range> ALL = Map.of(0, new Range(0, PER_PARTITION));
    private static final Duration DEADLINE = Duration.ofSeconds(60);

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Records longest = new Records("t".repeat(LONGEST_NAME), 1, 1000);
    private final Records other = new Records("other", 1, 1000);

    /** A broker with records in both topics. */
    private Broker filled() throws IOException {
        Path hdd = linkTo("hdd");
        Path ssd = linkTo("ssd");
        Files.createDirectory(ssd.resolve("lost+found"));
        BrokerConfig config = BrokerConfig.under(dir.resolve("node"), 1, 1)
                .withLogDirs(hdd)
                .withSsdDirs(ssd)
                .patched()
                .with("log.dirs", hdd + "/")
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", 256 << 20)
                .with("tiered.ssd.copy.interval.ms", 3_600_000)
                .with("log.segment.delete.delay.ms", 1000)
                .with("file.delete.delay.ms", 1000);
        Broker broker = brokers.start(config);
        for (Records records : List.of(longest, other)) {
            new Topics(broker).create(records, Map.of());
            records.produce(broker.clientProperties(), PER_PARTITION);
        }
        return broker;
    }

    private Path linkTo(String name) throws IOException {
        Path disk = Files.createDirectories(dir.resolve("disks").resolve(name));
        return Files.createSymbolicLink(dir.resolve(name), disk);
    }

    @Test
    void everythingIsThereAfterARestart() throws Exception {
        Broker broker = filled();
        broker.restart();
        assertThat(longest.verifyAll(broker.clientProperties())).isEqualTo(ALL);
        assertThat(other.verifyAll(broker.clientProperties())).isEqualTo(ALL);
        assertThat(SegmentFiles.of(broker.config()).in(State.ONLY_CACHE)).isNotEmpty();
    }

    /**
     * The broker is killed before it has deleted the renamed directory. Kafka goes on half a minute after its start.
     */
    @Test
    @Tag("long")
    void deletedTopicLeavesNothingOnTheSsd() throws Exception {
        Broker broker = filled();
        new Topics(broker).delete(longest.topic());
        await().atMost(DEADLINE)
                .until(() -> Files.notExists(broker.config().logDirs().get(0).resolve(longest.topic() + "-0")));
        broker.kill();
        broker.start();
        await().atMost(DEADLINE)
                .untilAsserted(() ->
                        assertThat(namesBelow(dir.resolve("disks/ssd"))).noneMatch(name -> name.startsWith("tt")));
        assertThat(other.verifyAll(broker.clientProperties())).isEqualTo(ALL);
    }

    @Tag("long")
    @Test
    void drainEmptiesTheSsdButForWhatItDidNotMake() throws Exception {
        Broker broker = filled();
        broker.stop();
        TierTool.of(broker.config()).ok("drain", "--offline");
        assertThat(namesBelow(dir.resolve("disks/ssd"))).containsExactly("lost+found");
        Broker stock = brokers.start(broker.config().stock());
        assertThat(longest.verifyAll(stock.clientProperties())).isEqualTo(ALL);
        assertThat(other.verifyAll(stock.clientProperties())).isEqualTo(ALL);
    }

    /** The backup that docs/operations.md calls complete. */
    @Tag("long")
    @Test
    void backupThatFollowsLinksIsComplete() throws Exception {
        Broker broker = filled();
        broker.stop();
        Path backup = dir.resolve("backup");
        BrokerConfig config = broker.config();
        Process copy = new ProcessBuilder("cp", "-aL", config.logDirs().get(0) + "/.", backup.toString())
                .inheritIO()
                .start();
        assertThat(copy.waitFor()).isZero();
        Broker stock = brokers.start(
                config.stock().withLogDirs(backup).with("log.dirs", backup).withSsdDirs());
        assertThat(longest.verifyAll(stock.clientProperties())).isEqualTo(ALL);
        assertThat(other.verifyAll(stock.clientProperties())).isEqualTo(ALL);
    }

    private static List<String> namesBelow(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> !file.equals(root))
                    .map(file -> "" + file.getFileName())
                    .toList();
        }
    }
}

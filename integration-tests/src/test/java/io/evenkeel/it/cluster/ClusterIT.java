/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.Node;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What happens to a cluster in its life, each under the same {@link ClusterLoad}: nothing that was acknowledged is
 * lost, doubled or out of order, nothing that was aborted is seen, and all replicas end with the same bytes.
 *
 * <p>Each test works alone; in this order, the brokers are restarted least often.
 */
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterIT {
    private static final Duration FROZEN = Duration.ofSeconds(12);
    private static final int ELECTIONS = 15;
    private static final int MOVES = 3;

    @RegisterExtension
    static final TieredCluster CLUSTER = new TieredCluster();

    @Test
    @Order(1)
    void rollingInstall() throws IOException {
        CLUSTER.run(false);
        try (ClusterLoad load = new ClusterLoad(CLUSTER, "install", 3)) {
            load.awaitProgress();
            for (int id = 1; id <= TieredCluster.SIZE; id++) {
                CLUSTER.broker(id).stop();
                CLUSTER.start(id, BrokerConfig::patched);
                CLUSTER.awaitInSync(load.topic());
                load.awaitProgress();
            }
            awaitAllStates(load);
            load.endAndVerify();
        }
    }

    @Tag("long")
    @Test
    @Order(2)
    void lossOfAnSsd() throws IOException {
        CLUSTER.run(true);
        int loser = 1;
        try (ClusterLoad load = new ClusterLoad(CLUSTER, "ssd-lost", 3)) {
            awaitAllStates(load);
            CLUSTER.broker(loser).kill();
            Path ssd = CLUSTER.broker(loser).config().ssdDirs().get(0);
            Utils.delete(ssd.toFile());
            Files.createDirectory(ssd);
            load.awaitProgress();
            CLUSTER.start(loser, config -> config.with(TieredCluster.ON_MISSING, "truncate"));
            assertThat(CLUSTER.broker(loser).said("were on an SSD that is lost"))
                    .isNotEmpty();
            CLUSTER.awaitInSync(load.topic());
            load.awaitProgress();
            load.endAndVerify();
        }
    }

    @Tag("long")
    @Test
    @Order(3)
    void reassignment() {
        CLUSTER.run(true);
        try (ClusterLoad load = new ClusterLoad(CLUSTER, "moved", 2)) {
            load.awaitProgress();
            for (int shift = 1; shift <= MOVES; shift++) {
                CLUSTER.topics().reassign(load.topic(), ClusterLoad.rotated(shift, 2));
                load.awaitProgress();
            }
            load.endAndVerify();
        }
    }

    /** Each election makes a follower the leader that lacks unacknowledged records, so the old leader truncates. */
    @Tag("long")
    @Test
    @Order(4)
    void electionsDuringCopies() throws IOException {
        CLUSTER.run(true);
        try (ClusterLoad load = new ClusterLoad(CLUSTER, "elections", 3)) {
            awaitAllStates(load);
            for (int shift = 1; shift <= ELECTIONS; shift++) {
                CLUSTER.topics().reassign(load.topic(), ClusterLoad.rotated(shift, 3));
                CLUSTER.topics().electPreferred(load.topic(), load.partitions());
            }
            assertThat(truncations(load)).isPositive();
            load.awaitProgress();
            load.endAndVerify();
        }
    }

    @Tag("long")
    @Test
    @Order(5)
    void networkCut() throws IOException {
        CLUSTER.run(true);
        try (ClusterLoad load = new ClusterLoad(CLUSTER, "cut-off", 3)) {
            load.awaitProgress();
            int victim = CLUSTER.topics().activeController();
            CLUSTER.network().cut(victim);
            try {
                await("the others lead")
                        .atMost(TieredCluster.DEADLINE)
                        .ignoreExceptions()
                        .untilAsserted(() -> assertThat(leaders(load)).doesNotContain(victim));
                load.awaitProgress();
            } finally {
                CLUSTER.network().mend(victim);
            }
            CLUSTER.awaitInSync(load.topic());
            load.awaitProgress();
            load.endAndVerify();
        }
    }

    /**
     * A hung file system stops the whole broker, as {@code HungHddIT} shows. When the disk answers again, the broker
     * goes on without a loss.
     */
    @Tag("long")
    @Test
    @Order(6)
    void hungHdd() throws Exception {
        CLUSTER.run(true);
        try (ClusterLoad load = new ClusterLoad(CLUSTER, "hung", 3)) {
            awaitAllStates(load);
            CLUSTER.disk().whileFrozen(() -> {
                long endNanos = System.nanoTime() + FROZEN.toNanos();
                await().atMost(FROZEN.multipliedBy(2)).until(() -> System.nanoTime() > endNanos);
                return null;
            });
            CLUSTER.awaitInSync(load.topic());
            load.awaitProgress();
            load.endAndVerify();
        }
    }

    /** Without a drain: the stock brokers read and write through the links. */
    @Tag("long")
    @Test
    @Order(7)
    void rollingRemoval() {
        CLUSTER.run(true);
        try (ClusterLoad load = new ClusterLoad(CLUSTER, "removal", 3)) {
            awaitAllStates(load);
            for (int id = 1; id <= TieredCluster.SIZE; id++) {
                CLUSTER.broker(id).stop();
                assertThat(CLUSTER.segments(id).of(load.topic()).in(State.ONLY_CACHE))
                        .as("links on broker %d", id)
                        .isNotEmpty();
                CLUSTER.start(id, BrokerConfig::stock);
                CLUSTER.awaitInSync(load.topic());
                load.awaitProgress();
            }
            load.endAndVerify();
        }
    }

    private static long truncations(ClusterLoad load) throws IOException {
        long count = 0;
        for (int id = 1; id <= TieredCluster.SIZE; id++) {
            count += CLUSTER.broker(id).said("Truncating to offset").stream()
                    .filter(line -> line.contains("partition=" + load.topic()))
                    .count();
        }
        return count;
    }

    private static Set<Integer> leaders(ClusterLoad load) {
        return CLUSTER.topics().partitions(load.topic()).stream()
                .map(partition -> partition.leader())
                .map(Node::id)
                .collect(Collectors.toSet());
    }

    /** Waits until each broker has evicted segments, and some that are only on its SSD. */
    private static void awaitAllStates(ClusterLoad load) {
        List<State> expected = List.of(State.ONLY_CACHE, State.WITHOUT_CACHE);
        await("segments in all states")
                .atMost(TieredCluster.DEADLINE)
                .untilAsserted(() -> assertThat(IntStream.rangeClosed(1, TieredCluster.SIZE)
                                .mapToObj(id -> CLUSTER.segments(id).of(load.topic())))
                        .allSatisfy(files -> assertThat(files.segments())
                                .extracting(SegmentFiles.Segment::state)
                                .containsAll(expected)));
    }
}

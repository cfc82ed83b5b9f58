/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.stock;

import static io.evenkeel.it.stock.Twins.BATCHES;
import static io.evenkeel.it.stock.Twins.DEADLINE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.SameBatches;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.ElectionType;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiered replicas hold, byte for byte, the same log as a stock one, and truncate the same records. */
@Tag("long")
class StayStockClusterIT {
    @RegisterExtension
    static final MixedCluster CLUSTER = new MixedCluster();

    private static final long NOW_MS = System.currentTimeMillis();

    @Test
    void partitionMovesBetweenTieredAndStockBrokersAndBack() {
        CLUSTER.create("wanders", List.of(2), Map.of());
        new SameBatches("wanders", NOW_MS).append(CLUSTER.broker(2), BATCHES);
        awaitBothDisks(2, "wanders");
        String bytes = CLUSTER.logBytes(2, "wanders");
        List<String> records = Reading.all(CLUSTER.broker(1), "wanders");
        int from = 2;
        for (int to : new int[] {3, 1, 2}) {
            CLUSTER.topics().reassign("wanders", List.of(to));
            CLUSTER.awaitLeader("wanders", to);
            assertThat(CLUSTER.logBytes(to, "wanders")).as("on broker %d", to).isEqualTo(bytes);
            assertThat(Reading.all(CLUSTER.broker(1), "wanders")).isEqualTo(records);
            int old = from;
            await().atMost(DEADLINE)
                    .untilAsserted(
                            () -> assertThat(CLUSTER.traces(old, "wanders")).isEmpty());
            from = to;
        }
    }

    /**
     * A leader dies with records that no other replica has, and returns as the follower of a leader with other records.
     */
    @ParameterizedTest
    @CsvSource({"cached, CACHED, 20", "evicted, WITHOUT_CACHE, 130"})
    void oldLeaderGivesUpWhatTheNewOneDoesNotHave(String topic, State state, int lostBatches) {
        CLUSTER.create(topic, List.of(2, 3), Map.of("unclean.leader.election.enable", "true"));
        CLUSTER.awaitInSync(topic, Set.of(2, 3));
        SameBatches shared = new SameBatches(topic, NOW_MS);
        shared.append(CLUSTER.broker(2), 25);
        CLUSTER.broker(3).stop();
        CLUSTER.awaitInSync(topic, Set.of(2));
        List<String> expected = new ArrayList<>(Reading.all(CLUSTER.broker(1), topic));
        long sharedEnd = expected.size();
        shared.append(CLUSTER.broker(2), lostBatches, (short) 1, () -> {});
        await().atMost(DEADLINE)
                .untilAsserted(
                        () -> assertThat(segmentWith(sharedEnd, topic).state()).isEqualTo(state));
        CLUSTER.broker(2).kill();

        CLUSTER.broker(3).start();
        CLUSTER.awaitLeader(topic, 3);
        new SameBatches(topic, NOW_MS + 1_000_000).append(CLUSTER.broker(3), 30);
        CLUSTER.broker(2).start();
        CLUSTER.awaitInSync(topic, Set.of(2, 3));
        List<String> found = Reading.all(CLUSTER.broker(1), topic);
        assertThat(found).hasSize(55 * SameBatches.RECORDS);
        assertThat(found.subList(0, expected.size())).isEqualTo(expected);

        CLUSTER.topics().reassign(topic, List.of(2, 3, 1));
        CLUSTER.awaitInSync(topic, Set.of(1, 2, 3));
        String stock = CLUSTER.logBytes(1, topic);
        assertThat(CLUSTER.logBytes(3, topic)).isEqualTo(stock);
        assertThat(CLUSTER.logBytes(2, topic)).isEqualTo(stock);
        CLUSTER.topics().elect(topic, ElectionType.PREFERRED);
        CLUSTER.awaitLeader(topic, 2);
        assertThat(Reading.all(CLUSTER.broker(1), topic)).isEqualTo(found);
    }

    private static Segment segmentWith(long offset, String topic) {
        return SegmentFiles.of(CLUSTER.broker(2).config()).of(topic).segments().stream()
                .filter(segment -> segment.baseOffset() <= offset)
                .max(Comparator.comparingLong(Segment::baseOffset))
                .orElseThrow();
    }

    @Test
    void consumerReadsFromTheFollowerInItsRack() throws Exception {
        CLUSTER.create("nearby", List.of(2, 3), Map.of());
        CLUSTER.awaitInSync("nearby", Set.of(2, 3));
        new SameBatches("nearby", NOW_MS).append(CLUSTER.broker(2), BATCHES);
        awaitBothDisks(3, "nearby");
        List<String> fromLeader = Reading.all(CLUSTER.broker(1), "nearby");
        long leaderBytes = bytesOut(2, "nearby");
        List<String> fromFollower =
                Reading.all(CLUSTER.broker(1).clientProperties(), "nearby", Map.of("client.rack", "rack3"));
        assertThat(fromFollower).isEqualTo(fromLeader).hasSize(BATCHES * SameBatches.RECORDS);
        assertThat(bytesOut(3, "nearby")).as("bytes from the follower").isGreaterThan(leaderBytes * 9 / 10);
        assertThat(bytesOut(2, "nearby")).as("bytes from the leader").isEqualTo(leaderBytes);
    }

    private static long bytesOut(int id, String topic) throws Exception {
        try (Gauges gauges = new Gauges(CLUSTER.broker(id))) {
            return gauges.bytesOut(topic);
        }
    }

    /** The active segment is where there was room. */
    private static void awaitBothDisks(int id, String topic) {
        await().atMost(DEADLINE)
                .untilAsserted(
                        () -> assertThat(SegmentFiles.of(CLUSTER.broker(id).config())
                                        .of(topic)
                                        .segments())
                                .extracting(Segment::state)
                                .contains(State.CACHED, State.WITHOUT_CACHE));
    }
}

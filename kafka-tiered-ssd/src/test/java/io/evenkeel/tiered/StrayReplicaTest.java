/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The segments of a stray replica, which Kafka keeps and nobody appends to, leave the SSD like others. */
class StrayReplicaTest {
    private static final String STRAY = "topic-0.0123456789abcdef0123456789abcdef-stray";

    @TempDir
    Path root;

    private FakeBroker broker;
    private Path stray;
    private final List<FileChannel> channels = new ArrayList<>();

    /** Two segments on the SSD only, whose replica then turns out to be stray. */
    @BeforeEach
    void makeAReplicaStray() throws IOException {
        broker = new FakeBroker(root, 1, 1, 8 * FakeBroker.SEGMENT_BYTES);
        Path partition = broker.partition("topic-0");
        for (long base : new long[] {0, 100}) {
            FileChannel channel = broker.open(FakeBroker.segment(partition, base));
            FakeBroker.append(channel, new byte[1000]);
            channels.add(channel);
        }
        stray = partition.resolveSibling(STRAY);
        channels.forEach(broker.tier()::renaming);
        Files.move(partition, stray);
        broker.tier().renamed(channels.get(0), segment(0));
        broker.tier().renamed(channels.get(1), segment(100));
    }

    private Path segment(long base) {
        return FakeBroker.segment(stray, base);
    }

    private void assertNoLinkIsLeft() throws IOException {
        for (long base : new long[] {0, 100}) {
            assertThat(Files.isSymbolicLink(segment(base))).as("%d", base).isFalse();
            assertThat(Files.size(segment(base))).isEqualTo(1000);
        }
    }

    @Test
    void allItsSegmentsAreCopiedAndCanBeEvicted() throws Exception {
        broker.copy();
        assertNoLinkIsLeft();
        assertThat(broker.stateOf(segment(0))).isEqualTo(SegmentState.CACHED);
        assertThat(broker.stateOf(segment(100))).isEqualTo(SegmentState.CACHED);
    }

    @Test
    void allItsSegmentsAreCopiedAfterARestart() throws Exception {
        broker.restart();
        broker.open(segment(0));
        broker.open(segment(100));
        broker.copy();
        assertNoLinkIsLeft();
    }

    @Test
    void drainEnds() throws Exception {
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        for (int i = 0; i < 4; i++) {
            broker.run("drain");
            broker.copy();
            broker.evict();
        }
        assertThat(broker.listener.events).contains("drained");
        assertThat(broker.ssds.get(0)).isEmptyDirectory();
        assertNoLinkIsLeft();
    }

    @Test
    void replicaOfADeletedTopicIsNotCopied() throws Exception {
        Path deleted = stray.resolveSibling(STRAY.replace("-stray", "-delete"));
        channels.forEach(broker.tier()::renaming);
        Files.move(stray, deleted);
        broker.tier().renamed(channels.get(0), FakeBroker.segment(deleted, 0));
        broker.tier().renamed(channels.get(1), FakeBroker.segment(deleted, 100));
        broker.copy();
        assertThat(FakeBroker.segment(deleted, 0)).isSymbolicLink();
    }
}

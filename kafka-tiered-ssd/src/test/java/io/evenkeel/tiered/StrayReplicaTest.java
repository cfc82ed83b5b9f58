/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** The segments of a stray replica, which Kafka keeps and nobody appends to, leave the SSD like others. */
@ParameterizedClass
@ValueSource(ints = {5, StrayReplicaTest.LONGEST_TOPIC_NAME})
class StrayReplicaTest {
    static final int LONGEST_TOPIC_NAME = 249;
    private static final int LONGEST_DIR_NAME = 255;
    private static final String SUFFIX = "-0.0123456789abcdef0123456789abcdef-stray";

    @Parameter
    int topicNameLength;

    @TempDir
    Path root;

    private FakeBroker broker;
    private Path stray;
    private final List<FileChannel> channels = new ArrayList<>();

    /** Two segments on the SSD only, whose replica then turns out to be stray. */
    @BeforeEach
    void makeAReplicaStray() throws IOException {
        broker = new FakeBroker(root, 1, 1, 8 * FakeBroker.SEGMENT_BYTES);
        Path partition = broker.partition("t".repeat(topicNameLength) + "-0");
        for (long base : new long[] {0, 100}) {
            FileChannel channel = broker.open(FakeBroker.segment(partition, base));
            FakeBroker.append(channel, new byte[1000]);
            channels.add(channel);
        }
        stray = partition.resolveSibling(
                "t".repeat(Math.min(topicNameLength, LONGEST_DIR_NAME - SUFFIX.length())) + SUFFIX); // as Kafka
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

    /** The start removes the SSD files of segments that are on the HDD; a power cut must not bring their links back. */
    @Test
    void linksThatWereReplacedStayReplacedAfterAPowerCut() throws Exception {
        broker.copy();
        Set<Path> fsynced = new HashSet<>();
        broker.restart(new FileOps() {
            @Override
            public void fsyncDirectory(Path dir) throws IOException {
                fsynced.add(dir);
                super.fsyncDirectory(dir);
            }

            @Override
            public boolean deleteIfExists(Path file) throws IOException {
                if (file.startsWith(broker.ssds.get(0)) && SegmentFileName.baseOffsetOnSsd(file) >= 0) {
                    assertThat(fsynced).contains(stray);
                }
                return super.deleteIfExists(file);
            }
        });
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
        String name = SegmentFileName.nameOf(stray).replace("-stray", "-delete");
        Path deleted = stray.resolveSibling(name.substring(Math.max(0, name.length() - LONGEST_DIR_NAME)));
        channels.forEach(broker.tier()::renaming);
        Files.move(stray, deleted);
        broker.tier().renamed(channels.get(0), FakeBroker.segment(deleted, 0));
        broker.tier().renamed(channels.get(1), FakeBroker.segment(deleted, 100));
        broker.copy();
        assertThat(FakeBroker.segment(deleted, 0)).isSymbolicLink();
    }
}

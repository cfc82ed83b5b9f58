/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The opening of segments: new ones, and those that an earlier process has left. */
class SegmentOpeningTest {
    @TempDir
    Path root;

    private final Random random = new Random(42);
    private FakeBroker broker;
    private Path partition;
    private Path first;
    private Path second;

    @BeforeEach
    void start() throws IOException {
        broker = new FakeBroker(root, 1, 1, 3 * FakeBroker.SEGMENT_BYTES);
        partition = broker.partition("topic-0");
        first = FakeBroker.segment(partition, 0);
        second = FakeBroker.segment(partition, 100);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    @Test
    void everyStateIsFoundAgainAfterAKill() throws Exception {
        byte[][] data = new byte[4][];
        for (int i = 0; i < 4; i++) {
            FileChannel channel = broker.open(FakeBroker.segment(partition, i * 100L));
            data[i] = bytes((i < 2 ? 1_000_000 : 900_000) + i);
            FakeBroker.append(channel, data[i]);
            if (i > 0) {
                broker.copy();
                broker.evict();
            }
        }
        broker.restart();
        SegmentState[] expected = new SegmentState[4];
        for (int i = 0; i < 4; i++) {
            Path path = FakeBroker.segment(partition, i * 100L);
            expected[i] = Files.isSymbolicLink(path) ? SegmentState.ONLY_CACHE : null;
            assertThat(FakeBroker.read(broker.open(path))).isEqualTo(data[i]);
        }
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(broker.stateOf(FakeBroker.segment(partition, 200))).isEqualTo(SegmentState.CACHED);
        assertThat(broker.stateOf(FakeBroker.segment(partition, 300))).isEqualTo(SegmentState.ONLY_CACHE);
    }

    @Test
    void hddFileThatAStockBrokerChangedIsTheTruth() throws Exception {
        FileChannel channel = broker.open(first);
        FakeBroker.append(channel, bytes(1000));
        broker.open(second);
        broker.copy();
        byte[] changed = bytes(1000);
        Files.write(first, changed); // the same length, other bytes
        broker.restart();
        assertThat(FakeBroker.read(broker.open(first))).isEqualTo(changed);
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(broker.ssdFiles()).hasSize(1);
    }

    /** Nothing is known of the directory that takes the place of one that has been deleted. */
    @Test
    void directoryOfAPartitionThatWasDeletedMeanwhileIsMadeDurableAgain() throws Exception {
        Set<Path> fsynced = new HashSet<>();
        broker.restart(new FileOps() {
            @Override
            public FileChannel openDirectory(Path dir) throws IOException {
                fsynced.add(dir);
                return super.openDirectory(dir);
            }
        });
        FileChannel channel = broker.open(first);
        Path ssdPartition = root.resolve("ssd0/id-0/topic-0");
        Path deleted = partition.resolveSibling("topic-0.0123456789abcdef-delete");
        broker.tier().renaming(channel);
        Files.move(partition, deleted);
        broker.tier().renamed(channel, FakeBroker.segment(deleted, 0));
        broker.delete(channel, FakeBroker.segment(deleted, 0));
        assertThat(ssdPartition).doesNotExist();
        fsynced.clear();
        Files.createDirectories(ssdPartition);
        broker.partition("topic-0");
        broker.open(first);
        assertThat(fsynced).contains(SegmentFileName.dirOf(ssdPartition));
    }

    @Test
    void leftoversAndOrphansGoAtTheStart() throws Exception {
        FakeBroker.append(broker.open(first), bytes(1000));
        Path orphan = root.resolve("ssd0/id-0/topic-0").resolve(second.getFileName());
        Files.write(orphan, bytes(10));
        Files.createFile(second.resolveSibling(second.getFileName() + ".tiering"));
        Files.createSymbolicLink(second.resolveSibling(second.getFileName() + ".tiering-link"), orphan);
        Path offline = Files.createDirectories(root.resolve("ssd0/id-of-a-log-dir-that-is-offline/topic-0"));
        Files.write(offline.resolve(first.getFileName()), bytes(10));
        broker.restart();
        assertThat(orphan).doesNotExist();
        assertThat(offline.resolve(first.getFileName())).exists();
        try (var files = Files.list(partition)) {
            assertThat(files).containsExactly(first);
        }
    }

    @Test
    void fullSsdSendsNewSegmentsToTheHddAndReportsIt() throws Exception {
        for (int i = 0; i < 4; i++) {
            broker.open(FakeBroker.segment(broker.partition("topic-" + i), 0));
        }
        assertThat(Files.isSymbolicLink(FakeBroker.segment(broker.partition("topic-2"), 0)))
                .isTrue();
        Path spilled = FakeBroker.segment(broker.partition("topic-3"), 0);
        assertThat(Files.isSymbolicLink(spilled)).isFalse();
        assertThat(broker.stateOf(spilled)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(broker.listener.events).containsExactly("placedOnHdd 00000000000000000000.log");
        assertThat(broker.tier().snapshot().refusedBySsd()).isEqualTo(1);
    }

    @Test
    void metadataFutureAndForeignFilesAreNotPutOnTheSsd() throws Exception {
        Path metadata = FakeBroker.segment(broker.partition("__cluster_metadata-0"), 0);
        assertThat(broker.tier().open(metadata, FakeBroker.request(1000, 0))).isNull();
        assertThat(broker.tier().open(partition.resolve("notes.log"), FakeBroker.request(1000, 0)))
                .isNull();
        assertThat(broker.tier()
                        .open(root.resolve("else/topic-0/00000000000000000000.log"), FakeBroker.request(1000, 0)))
                .isNull();
        Path future = FakeBroker.segment(broker.partition("topic-0.0123456789abcdef0123456789abcdef-future"), 0);
        broker.open(future);
        assertThat(Files.isSymbolicLink(future)).isFalse();
    }

    @Test
    void preallocatedSegmentHasItsLengthAtOnce() throws Exception {
        FileChannel channel =
                Objects.requireNonNull(broker.tier().open(first, FakeBroker.request(FakeBroker.SEGMENT_BYTES, 65_536)));
        assertThat(channel.size()).isEqualTo(65_536);
        assertThat(channel.position()).isZero();
        byte[] data = bytes(1000);
        FakeBroker.append(channel, data);
        channel.truncate(1000); // as Kafka does before it rolls
        broker.open(second);
        broker.copy();
        assertThat(Files.readAllBytes(first)).isEqualTo(data);
    }

    @Test
    void sameNameWhileTheOldFileWaitsToBeDeleted() throws Exception {
        FileChannel old = broker.open(first);
        FakeBroker.append(old, bytes(1000));
        Path deleted = first.resolveSibling(first.getFileName() + ".deleted");
        broker.rename(old, first, deleted);
        FileChannel recreated = broker.open(first);
        byte[] data = bytes(2000);
        FakeBroker.append(recreated, data);
        broker.delete(old, deleted);
        assertThat(Files.readAllBytes(first)).isEqualTo(data);
        broker.restart();
        assertThat(FakeBroker.read(broker.open(first))).isEqualTo(data);
    }
}

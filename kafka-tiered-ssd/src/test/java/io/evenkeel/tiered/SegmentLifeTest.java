/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.core.Worker;
import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.coldread.PositionalReads;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A segment's way through its states, seen from the files. */
class SegmentLifeTest {
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
    void newSegmentIsALinkToTheSsd() throws Exception {
        FileChannel channel = broker.open(first);
        byte[] data = bytes(5000);
        FakeBroker.append(channel, data);

        assertThat(first).isSymbolicLink();
        assertThat(Files.readSymbolicLink(first))
                .isEqualTo(root.resolve("ssd0/id-0/topic-0").resolve(first.getFileName()));
        assertThat(Files.readAllBytes(first)).isEqualTo(data);
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.ONLY_CACHE);
    }

    @Test
    void sendGivesWayAndGoesOnWhereItWas() throws Exception {
        FileChannel channel = broker.open(first);
        byte[] data = bytes((int) PositionalReads.LONGEST_TRANSFER_BYTES + 1000);
        FakeBroker.append(channel, data);
        ByteArrayOutputStream sent = new ByteArrayOutputStream();
        WritableByteChannel target = Channels.newChannel(sent);
        assertThat(channel.transferTo(0, data.length, target)).isEqualTo(PositionalReads.LONGEST_TRANSFER_BYTES);
        assertThat(channel.transferTo(sent.size(), 1000, target)).isEqualTo(1000);
        assertThat(sent.toByteArray()).isEqualTo(data);
    }

    @Test
    void activeSegmentIsNeverCopied() throws Exception {
        FakeBroker.append(broker.open(first), bytes(5000));
        broker.copy();
        assertThat(first).isSymbolicLink();
    }

    @Test
    void sealedSegmentIsCopiedThenEvicted() throws Exception {
        FileChannel channel = broker.open(first);
        byte[] data = bytes(700_001);
        FakeBroker.append(channel, data);
        Files.setLastModifiedTime(first, FileTime.fromMillis(1_600_000_000_123L));
        FileChannel next = broker.open(second);
        assertThat(broker.tier().snapshot().ssdUsedBytes()).isEqualTo(700_001 + FakeBroker.SEGMENT_BYTES);

        broker.copy();
        assertThat(first).isRegularFile().hasBinaryContent(data);
        assertThat(Files.isSymbolicLink(first)).isFalse();
        assertThat(Files.getLastModifiedTime(first).toMillis()).isEqualTo(1_600_000_000_123L);
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.CACHED);
        assertThat(((TieredFileChannel) channel).device()).isEqualTo(Device.SSD);
        assertThat(broker.ssdFiles()).hasSize(2);

        FakeBroker.append(next, bytes(1_000_000));
        FakeBroker.append(broker.open(FakeBroker.segment(partition, 200)), bytes(1_000_000));
        broker.open(FakeBroker.segment(partition, 300));
        broker.copy();
        broker.evict();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(((TieredFileChannel) channel).device()).isEqualTo(Device.HDD);
        assertThat(FakeBroker.read(channel)).isEqualTo(data);
        assertThat(broker.ssdFiles().toString()).doesNotContain("00000000000000000000.log");
    }

    /**
     * A segment that is compacted twice within the delay of deletions leaves two files of the same name, one after the
     * other.
     */
    @Test
    void fileThatWaitsToBeDeletedIsNotTakenForTheSegments() throws Exception {
        byte[] data = bytes(1000);
        FileChannel firstChannel = broker.open(first);
        FakeBroker.append(firstChannel, data);
        FileChannel secondChannel = broker.open(second);
        FakeBroker.append(secondChannel, data);
        broker.open(FakeBroker.segment(partition, 200));
        broker.copy();
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN, 1 << 20, 1 << 20));
        Worker.Step evictor = broker.workers("evictor").get(0);
        evictor.run(broker.nowNanos()); // one, and knows the next
        boolean firstIsNext = broker.stateOf(first) == SegmentState.CACHED;
        Path path = firstIsNext ? first : second;
        FileChannel channel = firstIsNext ? firstChannel : secondChannel;
        assertThat(broker.stateOf(path)).isEqualTo(SegmentState.CACHED);

        Path deleted = SegmentFileName.withSuffix(path, SegmentFileName.DELETED_SUFFIX);
        broker.rename(channel, path, deleted);
        Path other = Files.write(root.resolve("other"), bytes(1000));
        Files.move(other, deleted, StandardCopyOption.REPLACE_EXISTING);
        evictor.run(broker.nowNanos());
        assertThat(FakeBroker.read(channel)).isEqualTo(data);
    }

    /** As when a directory is removed and made anew under a broker that runs. */
    @Test
    void copyDoesNotTakeThePlaceOfAnotherFileThatIsThereByNow() throws Exception {
        FakeBroker.append(broker.open(first), bytes(5000));
        broker.open(second);
        Path other = Files.write(root.resolve("other"), bytes(1));
        Files.delete(first);
        Files.createSymbolicLink(first, other);
        broker.copy();
        assertThat(Files.readSymbolicLink(first)).isEqualTo(other);
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.ONLY_CACHE);
    }

    @Test
    void changeOfACachedSegmentPutsTheLinkBackFirst() throws Exception {
        FileChannel channel = broker.open(first);
        byte[] data = bytes(10_000);
        FakeBroker.append(channel, data);
        FileChannel newer = broker.open(second);
        broker.copy();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.CACHED);

        broker.rename(newer, second, second.resolveSibling(second.getFileName() + ".deleted"));
        channel.truncate(4000);
        assertThat(first).isSymbolicLink();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.ONLY_CACHE);
        assertThat(FakeBroker.read(channel)).isEqualTo(Arrays.copyOf(data, 4000));

        byte[] more = bytes(100);
        FakeBroker.append(channel, more);
        assertThat(channel.size()).isEqualTo(4100);
        broker.copy();
        assertThat(first).as("it is active again").isSymbolicLink();

        broker.open(second);
        broker.copy();
        assertThat(Files.isSymbolicLink(first)).isFalse();
        assertThat(Files.size(first)).isEqualTo(4100);
    }

    @Test
    void changeOfAClosedChannelFailsAndLeavesTheFilesAsTheyAre() throws Exception {
        FileChannel channel = broker.open(first);
        FakeBroker.append(channel, bytes(5000));
        broker.open(second);
        broker.copy();
        channel.close();
        assertThatThrownBy(() -> channel.truncate(0)).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> FakeBroker.append(channel, bytes(1))).isInstanceOf(ClosedChannelException.class);
        assertThat(Files.isSymbolicLink(first)).isFalse();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.CACHED);
    }

    /** As {@link FileChannel} promises. */
    @Test
    void interruptClosesTheChannel() throws Exception {
        for (int i = 0; i < 5; i++) {
            FileChannel channel = broker.open(FakeBroker.segment(partition, i));
            FakeBroker.append(channel, bytes(10));
            Thread.currentThread().interrupt();
            assertThatThrownBy(interrupted(channel, i)).isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(channel.isOpen()).as("operation %d", i).isFalse();
        }
    }

    private ThrowingCallable interrupted(FileChannel channel, int operation) {
        return switch (operation) {
            case 0 -> () -> channel.read(ByteBuffer.allocate(1), 0);
            case 1 -> () -> channel.transferTo(0, 1, Channels.newChannel(new ByteArrayOutputStream()));
            case 2 -> () -> channel.force(true);
            case 3 -> channel::size;
            default -> () -> channel.write(ByteBuffer.wrap(bytes(1)));
        };
    }

    @Test
    void closedTargetLeavesTheChannelOpen() throws Exception {
        FileChannel channel = broker.open(first);
        FakeBroker.append(channel, bytes(10));
        WritableByteChannel target = Channels.newChannel(new ByteArrayOutputStream());
        target.close();
        assertThatThrownBy(() -> channel.transferTo(0, 10, target)).isInstanceOf(ClosedChannelException.class);
        assertThat(channel.isOpen()).isTrue();
        assertThat(FakeBroker.read(channel)).hasSize(10);
    }

    @Test
    void interruptedFlushIsNotAFailureOfTheSsd() throws Exception {
        FileChannel channel = broker.open(first);
        FakeBroker.append(channel, bytes(10));
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> channel.force(true)).isInstanceOf(ClosedByInterruptException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(broker.listener.events).isEmpty();
        assertThat(broker.tier().snapshot().suspectSsds()).isZero();
    }

    @Test
    void deletedSegmentLeavesNothing() throws Exception {
        FileChannel channel = broker.open(first);
        FakeBroker.append(channel, bytes(10_000));
        FileChannel newer = broker.open(second);
        Path deleted = first.resolveSibling(first.getFileName() + ".deleted");
        broker.rename(channel, first, deleted);
        broker.copy();
        assertThat(deleted).as("not copied any more").isSymbolicLink();
        broker.delete(channel, deleted);
        assertThat(broker.ssdFiles()).hasSize(1);

        broker.delete(newer, second);
        assertThat(broker.ssdFiles()).isEmpty();
        assertThat(broker.tier().snapshot().ssdUsedBytes()).isZero();
    }

    @Test
    void copyOfASegmentDeletedMeanwhileIsNeverPublished() throws Exception {
        FileChannel channel = broker.open(first);
        FakeBroker.append(channel, bytes(10_000));
        broker.open(second);
        broker.step(); // begins the copy
        broker.delete(channel, first);
        broker.copy();
        assertThat(first).doesNotExist();
        assertThat(broker.listener.events).isEmpty();
        try (var files = Files.list(partition)) {
            assertThat(files).containsExactly(second);
        }
    }

    @Test
    void segmentFoundAsCachedIsEvictedOnlyAfterItsNameIsDurable() throws Exception {
        FakeBroker.append(broker.open(first), bytes(1_000_000));
        FakeBroker.append(broker.open(second), bytes(1_000_000));
        Path third = FakeBroker.segment(partition, 200);
        broker.open(third);
        broker.copy();
        List<String> steps = new ArrayList<>();
        broker.restart(new FileOps() {
            @Override
            public FileChannel openDirectory(Path dir) throws IOException {
                steps.add("sync " + dir.getFileName());
                return super.openDirectory(dir);
            }

            @Override
            public boolean deleteIfExists(Path file) throws IOException {
                steps.add("delete " + file.getFileName());
                return super.deleteIfExists(file);
            }
        });
        broker.open(first);
        broker.open(second);
        FakeBroker.append(broker.open(third), bytes(1_000_000));
        steps.clear();
        broker.evict();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(steps).startsWith("sync topic-0").contains("delete " + first.getFileName());
    }
}

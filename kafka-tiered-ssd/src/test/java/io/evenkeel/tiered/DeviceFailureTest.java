/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.core.Worker;
import io.evenkeel.tiered.api.DeviceStats;
import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a segment does when the device it is on fails an operation. */
class DeviceFailureTest {
    @TempDir
    Path root;

    private FakeBroker broker;
    private Path first = Path.of("");
    private Path second = Path.of("");
    /** What fails now: {@code ssd read}, {@code hdd force} and so on, each time. */
    private final Set<String> failing = new HashSet<>();

    /** Files and directories that cannot be opened. */
    private final Set<Path> closedToUs = new HashSet<>();

    private final Random random = new Random(7);
    private boolean full;

    /** Devices that fail what the test says. */
    private final class Devices extends FileOps {
        @Override
        public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
            requireOpenable(file);
            String device = file.startsWith(root.resolve("ssd0")) ? "ssd" : "hdd";
            return new FaultyChannel(FileChannel.open(file, options), operation -> {
                if (failing.contains(device + " " + operation)) {
                    throw new IOException(full ? "No space left on device" : "Input/output error");
                }
            });
        }

        @Override
        public FileChannel openDirectory(Path dir) throws IOException {
            requireOpenable(dir);
            return super.openDirectory(dir);
        }

        private void requireOpenable(Path file) throws IOException {
            if (closedToUs.contains(file)) {
                throw new FileSystemException(file.toString(), null, "Too many open files");
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        broker = new FakeBroker(root, 1, 1, 4L << 20);
        broker.restart(new Devices());
        Path partition = broker.partition("topic-0");
        first = FakeBroker.segment(partition, 0);
        second = FakeBroker.segment(partition, 100);
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private FileChannel cached(byte[] data) throws Exception {
        FileChannel channel = broker.open(first);
        FakeBroker.append(channel, data);
        broker.open(second);
        broker.copy();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.CACHED);
        return channel;
    }

    @Test
    void readThatTheSsdFailsIsServedFromTheHdd() throws Exception {
        byte[] data = bytes(10_000);
        FileChannel channel = cached(data);
        failing.add("ssd read");
        assertThat(FakeBroker.read(channel)).isEqualTo(data);
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(broker.listener.events).contains("ssdSuspect " + first.getFileName());
        assertThat(broker.tier().snapshot().suspectSsds()).isEqualTo(1);
        assertThat(broker.tier().snapshot().ssdUse().errors()).isEqualTo(1);
        assertThat(broker.tier().snapshot().hddUse()).isEqualTo(new DeviceStats(1, data.length, 0));

        broker.evict();
        assertThat(broker.ssdFiles()).as("only the active segment is left").hasSize(1);
        Path third = FakeBroker.segment(broker.partition("topic-1"), 0);
        broker.open(third);
        assertThat(Files.isSymbolicLink(third))
                .as("nothing new goes to a suspect SSD")
                .isFalse();
        assertThat(broker.tier().snapshot().placedOnHdd()).isEqualTo(Map.of(HddReason.SSD_FAILED, 1L));
    }

    @Test
    void sendThatTheSsdFailsIsServedFromTheHdd() throws Exception {
        byte[] data = bytes(10_000);
        FileChannel channel = cached(data);
        failing.add("ssd read");
        Path copy = root.resolve("copy");
        try (FileChannel target = FileChannel.open(
                copy, java.nio.file.StandardOpenOption.CREATE, java.nio.file.StandardOpenOption.WRITE)) {
            assertThat(channel.transferTo(0, data.length, target)).isEqualTo(data.length);
        }
        assertThat(copy).hasBinaryContent(data);
    }

    /** The file of that name may be another segment's by now, see {@link SegmentLifeTest}. */
    @Test
    void sendOfWhatWaitsToBeDeletedFailsAloneWhenTheSsdFails() throws Exception {
        FileChannel channel = cached(bytes(1000));
        broker.rename(channel, first, SegmentFileName.withSuffix(first, SegmentFileName.DELETED_SUFFIX));
        failing.add("ssd read");
        assertThatThrownBy(() -> FakeBroker.read(channel)).hasMessage("Input/output error");
        assertThat(broker.listener.events.toString())
                .contains("ssdSuspect")
                .doesNotContain("storageError", "unreadable");
    }

    @Test
    void copyThatTheSsdFailsMakesItSuspect() throws Exception {
        FakeBroker.append(broker.open(first), bytes(1000));
        broker.open(second);
        failing.add("ssd read");
        broker.copy();
        assertThat(broker.listener.events).contains("ssdSuspect " + first.getFileName());
        assertThat(broker.tier().snapshot().suspectSsds()).isEqualTo(1);
        failing.clear();
        broker.copy();
        assertThat(broker.stateOf(first)).as("tried again").isEqualTo(SegmentState.CACHED);
    }

    @Test
    void fileThatCannotBeOpenedSaysNothingAgainstTheSsd() throws Exception {
        FakeBroker.append(broker.open(first), bytes(1000));
        broker.open(second);
        closedToUs.addAll(broker.ssdFiles());
        broker.step();
        assertThat(broker.listener.events).containsExactly("copyFailed " + first.getFileName());
        assertThat(broker.tier().snapshot().suspectSsds()).isZero();
        closedToUs.clear();
        broker.copy();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.CACHED);
    }

    @Test
    void directoryThatCannotBeOpenedSaysNothingAgainstTheSsd() throws Exception {
        closedToUs.add(root.resolve("ssd0"));
        broker.open(first);
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(broker.tier().snapshot().suspectSsds()).isZero();
        closedToUs.clear();
        broker.open(second);
        assertThat(broker.stateOf(second)).isEqualTo(SegmentState.ONLY_CACHE);
    }

    @Test
    void copyThatCannotBeOpenedAtTheStartIsNotNeeded() throws Exception {
        byte[] data = bytes(1000);
        cached(data);
        broker.restart(new Devices());
        closedToUs.addAll(broker.ssdFiles());
        assertThat(FakeBroker.read(broker.open(first))).isEqualTo(data);
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(broker.listener.events).contains("leftAsItIs " + first.getFileName());
    }

    /** Nothing else would make room again, and the log directory has not failed. */
    @Test
    void segmentThatCannotBeEvictedDoesNotKeepTheOthers() throws Exception {
        Path third = FakeBroker.segment(broker.partition("topic-1"), 0);
        FakeBroker.append(broker.open(third), bytes(10_000));
        broker.open(FakeBroker.segment(broker.partition("topic-1"), 100));
        cached(bytes(10_000));
        closedToUs.add(first);
        closedToUs.add(SegmentFileName.dirOf(first));
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        broker.evict();
        broker.evict(); // it pauses after a failure
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.CACHED);
        assertThat(broker.stateOf(third)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(broker.listener.events)
                .contains("evictFailed " + first.getFileName())
                .noneMatch(event -> event.startsWith("storageError") || event.startsWith("unreadable"));
        closedToUs.clear();
        broker.pass(TimeUnit.MINUTES.toNanos(2));
        broker.evict();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.WITHOUT_CACHE);
    }

    @Test
    void segmentWithoutItsFileDoesNotKeepTheEvictorBusy() throws Exception {
        cached(bytes(10_000));
        Files.delete(first);
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        Worker.Step evictor = broker.workers("evictor").get(0);
        assertThat(evictor.run(broker.nowNanos())).isZero();
        assertThat(evictor.run(broker.nowNanos())).isEqualTo(FakeBroker.IDLE_NANOS);
    }

    @Test
    void readThatNoCopyCanServeIsAStorageError() throws Exception {
        FileChannel channel = broker.open(first);
        FakeBroker.append(channel, bytes(1000));
        failing.add("ssd read");
        assertThatThrownBy(() -> FakeBroker.read(channel)).hasMessage("Input/output error");
        assertThat(broker.listener.events)
                .containsExactly("ssdSuspect " + first.getFileName(), "storageError " + first.getFileName());
    }

    @Test
    void readThatBothDevicesFailIsAStorageError() throws Exception {
        FileChannel channel = cached(bytes(1000));
        failing.addAll(Set.of("ssd read", "hdd read"));
        assertThatThrownBy(() -> FakeBroker.read(channel)).hasMessage("Input/output error");
        assertThat(broker.listener.events).contains("unreadable " + first.getFileName());
    }

    @Test
    void brokenConnectionIsNotADeviceFailure() throws Exception {
        FileChannel channel = cached(bytes(1000));
        WritableByteChannel gone = new WritableByteChannel() {
            @Override
            public int write(ByteBuffer src) throws IOException {
                throw new IOException("Broken pipe");
            }

            @Override
            public boolean isOpen() {
                return true;
            }

            @Override
            public void close() {}
        };
        assertThatThrownBy(() -> channel.transferTo(0, 1000, gone)).hasMessage("Broken pipe");
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.CACHED);
        assertThat(broker.listener.events).noneMatch(event -> event.startsWith("ssdSuspect"));
    }

    @Test
    void readOfAClosedChannelIsNotADeviceFailure() throws Exception {
        FileChannel channel = cached(bytes(1000));
        channel.close();
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10), 0)).isInstanceOf(ClosedChannelException.class);
        assertThat(broker.listener.events).containsExactly("copied " + first.getFileName());
    }

    @Test
    void forceThatFailsOnceIsNeverBelieved() throws Exception {
        FileChannel channel = broker.open(first);
        FakeBroker.append(channel, bytes(1000));
        failing.add("ssd force");
        assertThatThrownBy(() -> channel.force(true)).hasMessage("Input/output error");
        failing.clear();
        broker.open(second);
        broker.copy();
        assertThat(first).as("the SSD file may lack what its page cache shows").isSymbolicLink();
    }

    @Test
    void forceOfACachedSegmentGoesOnWithTheHdd() throws Exception {
        byte[] data = bytes(1000);
        FileChannel channel = cached(data);
        failing.add("ssd force");
        channel.force(true);
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(FakeBroker.read(channel)).isEqualTo(data);
    }

    @Test
    void appendToAFullSsdGoesOnOnTheHdd() throws Exception {
        FileChannel channel = broker.open(first);
        byte[] data = bytes(300_000);
        FakeBroker.append(channel, Arrays.copyOf(data, 200_000));
        full = true;
        failing.add("ssd write");
        FakeBroker.append(channel, Arrays.copyOfRange(data, 200_000, 300_000));
        assertThat(FakeBroker.read(channel)).isEqualTo(data);
        assertThat(channel.position()).isEqualTo(300_000);
        assertThat(first).isRegularFile().hasBinaryContent(data);
        assertThat(Files.isSymbolicLink(first)).isFalse();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(broker.listener.events).containsExactly("spilled " + first.getFileName());
        broker.evict();
        assertThat(broker.ssdFiles()).isEmpty();
        assertThat(broker.tier().snapshot().ssdUsedBytes()).isZero();
        assertThat(broker.tier().snapshot().spilledSegments()).isEqualTo(1);
        assertThat(broker.tier().snapshot().ssdUse().errors())
                .as("a full SSD is none")
                .isZero();
        broker.restart();
        assertThat(FakeBroker.read(broker.open(first))).isEqualTo(data);
    }

    @Test
    void appendThatTheSsdFailsForAnotherReasonFails() throws Exception {
        FileChannel channel = broker.open(first);
        failing.add("ssd write");
        assertThatThrownBy(() -> FakeBroker.append(channel, bytes(10))).hasMessage("Input/output error");
        assertThat(broker.tier().snapshot().ssdUse().errors()).isEqualTo(1);
        assertThat(broker.listener.events).containsExactly("ssdSuspect " + first.getFileName());
        assertThat(broker.tier().snapshot().suspectSsds()).isEqualTo(1);
        assertThat(first).isSymbolicLink();
    }

    @Test
    void appendToAClosedChannelIsNotADeviceFailure() throws Exception {
        FileChannel channel = broker.open(first);
        Thread.currentThread().interrupt(); // the system closes what an interrupted thread writes to
        assertThatThrownBy(() -> FakeBroker.append(channel, bytes(10))).isInstanceOf(ClosedChannelException.class);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(broker.listener.events).isEmpty();
        assertThat(broker.tier().snapshot().suspectSsds()).isZero();
        assertThat(broker.tier().snapshot().ssdUse().errors()).isZero();
    }

    @Test
    void appendFailsWhenTheHddCannotTakeItEither() throws Exception {
        FileChannel channel = broker.open(first);
        byte[] data = bytes(1000);
        FakeBroker.append(channel, data);
        full = true;
        failing.addAll(Set.of("ssd write", "hdd write", "hdd force"));
        assertThatThrownBy(() -> FakeBroker.append(channel, bytes(10))).hasMessage("No space left on device");
        assertThat(first).isSymbolicLink();
        assertThat(FakeBroker.read(channel)).isEqualTo(data);
        try (var files = Files.list(first.resolveSibling(""))) {
            assertThat(files).containsExactly(first);
        }
    }
}

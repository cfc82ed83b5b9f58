/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TopicFilter;
import io.evenkeel.tiered.disk.Placement;
import io.evenkeel.tiered.file.FileOps;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On which device a new segment begins, and when one on the wrong device ends. */
class PlacementTest {
    private static final long NOW = 1_700_000_000_000L;
    /** A segment on the HDD is long enough then to end early. */
    private static final int WORTH_BYTES = (int) (FakeBroker.SEGMENT_BYTES / 16);

    @TempDir
    Path root;

    private FakeBroker broker;
    private Path partition = Path.of("");
    private long usableBytes = Long.MAX_VALUE;

    @BeforeEach
    void start() throws Exception {
        broker = new FakeBroker(root, 1, 1, 4L << 20);
        broker.restart(new FileOps() {
            @Override
            public long usableBytes(Path dir) {
                return usableBytes;
            }
        });
        partition = broker.partition("orders-0");
    }

    private FileChannel open(long baseOffset, @Nullable Device followerPlacement) throws Exception {
        OpenRequest request = new OpenRequest(FakeBroker.SEGMENT_BYTES, 0, followerPlacement);
        return Objects.requireNonNull(broker.tier().open(FakeBroker.segment(partition, baseOffset), request));
    }

    private FileChannel worthARoll(long baseOffset) throws Exception {
        FileChannel channel = open(baseOffset, null);
        FakeBroker.append(channel, bytes(WORTH_BYTES));
        return channel;
    }

    private boolean rollsNow(FileChannel channel) {
        return broker.tier().shouldRoll(channel, 1000);
    }

    private boolean rolls(FileChannel channel) {
        broker.pass(Placement.TURN_NANOS);
        return rollsNow(channel);
    }

    private static Device deviceOf(FileChannel channel) {
        return ((TieredFileChannel) channel).device();
    }

    private void change(TierMode mode, Device followerPlacement, String... excluded) throws Exception {
        DynamicTierSettings now = FakeBroker.dynamicSettings();
        broker.tier()
                .reconfigure(new DynamicTierSettings(
                        mode,
                        now.highWatermarkRatio(),
                        now.lowWatermarkRatio(),
                        now.copyBytesPerSecond(),
                        now.copyMinBytesPerSecond(),
                        now.copyIntervalMs(),
                        now.coldReadBytesPerSecond(),
                        now.coldReadClientBytesPerSecond(),
                        followerPlacement,
                        new TopicFilter(List.of(excluded))));
    }

    @Test
    void leaderIsOnTheSsdWhateverItsFollowersAre() throws Exception {
        broker.tier().role("orders-0", true);
        assertThat(deviceOf(open(0, Device.HDD))).isEqualTo(Device.SSD);
    }

    @Test
    void topicsOwnFollowerPlacementWinsOverTheBrokers() throws Exception {
        broker.tier().role("orders-0", false);
        assertThat(deviceOf(open(0, null))).isEqualTo(Device.SSD);
        assertThat(deviceOf(open(1, Device.HDD))).isEqualTo(Device.HDD);
        change(TierMode.ON, Device.HDD);
        assertThat(deviceOf(open(2, null))).isEqualTo(Device.HDD);
        assertThat(deviceOf(open(3, Device.SSD))).isEqualTo(Device.SSD);
        assertThat(broker.tier().snapshot().placedOnHdd()).containsEntry(HddReason.FOLLOWER, 2L);
    }

    @Test
    void followerThatBecomesLeaderRolls() throws Exception {
        broker.tier().role("orders-0", false);
        FileChannel channel = open(0, Device.HDD);
        FakeBroker.append(channel, bytes(WORTH_BYTES));
        assertThat(rolls(channel)).isFalse();
        broker.tier().role("orders-0", true);
        assertThat(rolls(channel)).isTrue();
        FileChannel next = open(1, Device.HDD);
        assertThat(deviceOf(next)).isEqualTo(Device.SSD);
        assertThat(rolls(next)).isFalse();
        broker.tier().role("orders-0", false);
        assertThat(rolls(next)).as("a new follower may fill its segment").isFalse();
    }

    @Test
    void excludedTopicsStayOnTheHdd() throws Exception {
        change(TierMode.ON, Device.SSD, "ord.*", "x");
        FileChannel channel = worthARoll(0);
        assertThat(deviceOf(channel)).isEqualTo(Device.HDD);
        assertThat(rolls(channel)).isFalse();
        change(TierMode.ON, Device.SSD, "ord", "x");
        assertThat(rolls(channel)).isTrue();
    }

    @Test
    void replicaThatCatchesUpStaysOffTheSsd() throws Exception {
        broker.tier().follows("orders-0", false);
        broker.tier().role("orders-0", false); // Kafka's next call
        FileChannel old = worthARoll(0);
        assertThat(deviceOf(old)).isEqualTo(Device.HDD);
        assertThat(broker.tier().snapshot().placedOnHdd()).isEqualTo(Map.of(HddReason.CATCHING_UP, 1L));
        assertThat(rolls(old)).isFalse();
        broker.tier().follows("orders-0", true);
        broker.tier().role("orders-0", false);
        assertThat(rolls(old)).as("it has caught up").isTrue();
        FileChannel fresh = open(1, null);
        assertThat(deviceOf(fresh)).isEqualTo(Device.SSD);
        broker.tier().follows("orders-0", false);
        assertThat(rolls(fresh)).as("it may fill its segment").isFalse();
        broker.tier().role("orders-0", true);
        assertThat(deviceOf(open(2, null))).isEqualTo(Device.SSD);
    }

    /** Otherwise a quiet partition that leaves the SSD would begin a segment each time it is appended to. */
    @Test
    void smallSegmentOnTheHddIsNotWorthARoll() throws Exception {
        change(TierMode.PAUSED, Device.SSD);
        FileChannel channel = open(0, null);
        change(TierMode.ON, Device.SSD);
        FakeBroker.append(channel, bytes(WORTH_BYTES - 1));
        assertThat(rolls(channel)).isFalse();
        FakeBroker.append(channel, bytes(1));
        assertThat(rolls(channel)).isTrue();
    }

    /** A roll takes fsyncs under its log's lock, and thousands of partitions have the same reason at the same time. */
    @Test
    void rollsThatCanWaitTakeTurns() throws Exception {
        change(TierMode.PAUSED, Device.SSD);
        List<FileChannel> channels = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            partition = broker.partition("orders-" + i);
            channels.add(worthARoll(0));
        }
        change(TierMode.ON, Device.SSD);
        broker.pass(Placement.TURN_NANOS);
        assertThat(channels.stream().filter(this::rollsNow)).hasSize(1);
        assertThat(channels.stream().filter(this::rollsNow)).isEmpty();
        broker.pass(Placement.TURN_NANOS);
        assertThat(channels.stream().filter(this::rollsNow)).hasSize(1);
    }

    @Test
    void segmentThatCannotGrowRolls() throws Exception {
        FileChannel channel = open(0, null);
        FakeBroker.append(channel, bytes(1 << 20));
        usableBytes = 0;
        assertThat(rollsNow(channel)).isTrue();
        assertThat(deviceOf(open(1, null))).isEqualTo(Device.HDD);
    }

    /** It would spill in the middle of an append. */
    @Test
    void segmentsLeaveAnSsdWhoseSpaceSomethingElseHasTaken() throws Exception {
        List<FileChannel> channels = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            partition = broker.partition("orders-" + i);
            channels.add(open(0, null));
            FakeBroker.append(channels.get(i), bytes(100));
        }
        usableBytes = FakeBroker.SEGMENT_BYTES;
        broker.evict();
        assertThat(channels).allMatch(this::rollsNow);
        usableBytes = Long.MAX_VALUE;
        broker.evict();
        assertThat(channels).noneMatch(this::rollsNow);
    }

    @Test
    void segmentsLeaveASuspectSsd() throws Exception {
        FileChannel channel = open(0, null);
        FakeBroker.append(channel, bytes(100));
        assertThat(rolls(channel)).isFalse();
        SegmentStorage storage = ((Segment) ((TieredFileChannel) channel).owner()).storage();
        Objects.requireNonNull(storage.ssdFile()).dir().suspect();
        assertThat(rolls(channel)).isTrue();
        assertThat(deviceOf(open(1, null))).isEqualTo(Device.HDD);
    }

    /** Four quiet partitions reserve little, and one busy one has the rest. */
    @Test
    void quietPartitionsLeaveTheSsdToTheBusyOnes() throws Exception {
        int reserved = 1 << 20;
        for (int i = 0; i < 3; i++) {
            partition = broker.partition("quiet-" + i);
            FakeBroker.append(open(0, null), bytes(reserved));
            Files.setLastModifiedTime(FakeBroker.segment(partition, 0).toRealPath(), FileTime.fromMillis(NOW + i));
        }
        partition = broker.partition("busy-0");
        FakeBroker.append(open(0, null), bytes(reserved));
        assertThat(broker.tier().snapshot().ssdUsedBytes()).isEqualTo(4L << 20);
        broker.pass(TimeUnit.MINUTES.toNanos(1));
        for (int i = 0; i < 3; i++) {
            broker.evict();
            broker.copy();
        }
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.ONLY_CACHE);
        assertThat(deviceOf(open(1, null))).isEqualTo(Device.SSD);
        for (int i = 0; i < 2; i++) {
            Path quiet = FakeBroker.segment(broker.partition("quiet-" + i), 0);
            assertThat(broker.stateOf(quiet)).isEqualTo(SegmentState.WITHOUT_CACHE);
        }
    }

    @Test
    void segmentThatFoundNoRoomRollsWhenThereIsRoomAgain() throws Exception {
        usableBytes = FakeBroker.SEGMENT_BYTES - 1;
        FileChannel channel = worthARoll(0);
        assertThat(deviceOf(channel)).isEqualTo(Device.HDD);
        assertThat(broker.tier().snapshot().refusedBySsd()).isEqualTo(1);
        assertThat(rolls(channel)).isFalse();
        usableBytes = FakeBroker.SEGMENT_BYTES;
        assertThat(rolls(channel)).isTrue();
        FileChannel next = open(1, null);
        assertThat(deviceOf(next)).isEqualTo(Device.SSD);
        FileChannel other = open(2, null);
        assertThat(deviceOf(other)).as("the file system's room is reserved").isEqualTo(Device.HDD);
    }

    @Test
    void copiedSegmentsLeaveWhenSomethingElseTakesTheFileSystemsSpace() throws Exception {
        FakeBroker.append(open(0, null), bytes(1 << 20));
        open(1, null);
        broker.copy();
        broker.evict();
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.CACHED);
        usableBytes = 0;
        broker.evict();
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.WITHOUT_CACHE);
    }

    @Test
    void pausedPlacesNothingAndMovesNothing() throws Exception {
        FileChannel onSsd = open(0, null);
        FakeBroker.append(onSsd, bytes(1000));
        change(TierMode.PAUSED, Device.SSD);
        assertThat(rolls(onSsd)).isFalse();
        FileChannel next = worthARoll(1);
        assertThat(deviceOf(next)).isEqualTo(Device.HDD);
        broker.copy();
        broker.evict();
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.ONLY_CACHE);
        change(TierMode.ON, Device.SSD);
        assertThat(rolls(next)).isTrue();
        broker.copy();
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.CACHED);
    }

    @Test
    void drainLeavesNoLinkAndAnEmptySsd() throws Exception {
        byte[] sealed = bytes(5000);
        byte[] active = bytes(3000);
        FakeBroker.append(open(0, null), sealed);
        FileChannel last = open(1, null);
        FakeBroker.append(last, active);
        FileChannel empty = Objects.requireNonNull(broker.tier()
                .open(
                        FakeBroker.segment(broker.partition("idle-0"), 0),
                        FakeBroker.request(FakeBroker.SEGMENT_BYTES, 0)));
        change(TierMode.DRAIN, Device.SSD);
        assertThat(rolls(last)).isTrue();
        drain();
        assertThat(broker.listener.events).contains("drained");
        assertThat(root.resolve("ssd0")).isEmptyDirectory();
        assertThat(FakeBroker.segment(partition, 0)).isRegularFile().hasBinaryContent(sealed);
        assertThat(FakeBroker.segment(partition, 1)).isRegularFile().hasBinaryContent(active);
        assertThat(Files.isSymbolicLink(FakeBroker.segment(partition, 1))).isFalse();
        assertThat(deviceOf(empty)).isEqualTo(Device.HDD);
        FakeBroker.append(last, bytes(10));
        assertThat(Files.size(FakeBroker.segment(partition, 1))).isEqualTo(3010);
        assertThat(deviceOf(open(2, null))).isEqualTo(Device.HDD);

        change(TierMode.ON, Device.SSD);
        assertThat(deviceOf(open(3, null))).as("and back again").isEqualTo(Device.SSD);
        broker.restart();
        assertThat(FakeBroker.read(open(1, null))).hasSize(3010);
    }

    @Test
    void appendDuringADrainIsNotLost() throws Exception {
        FileChannel channel = open(0, null);
        byte[] data = bytes(2000);
        FakeBroker.append(channel, java.util.Arrays.copyOf(data, 1000));
        change(TierMode.DRAIN, Device.SSD);
        broker.run("drain");
        broker.step(); // begins the copy
        FakeBroker.append(channel, java.util.Arrays.copyOfRange(data, 1000, 2000));
        drain();
        assertThat(FakeBroker.segment(partition, 0)).isRegularFile().hasBinaryContent(data);
        assertThat(FakeBroker.read(channel)).isEqualTo(data);
        assertThat(root.resolve("ssd0")).isEmptyDirectory();
    }

    private void drain() throws Exception {
        for (int i = 0; i < 4; i++) {
            broker.run("drain");
            broker.copy();
            broker.evict();
        }
        broker.run("drain");
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}

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
import io.evenkeel.tiered.file.FileOps;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On which device a new segment begins, and when one on the wrong device ends. */
class PlacementTest {
    private static final long NOW = 1_700_000_000_000L;

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

    private FileChannel open(long baseOffset, @Nullable Device followerPlacement, long dataTimeMs) throws Exception {
        OpenRequest request = new OpenRequest(FakeBroker.SEGMENT_BYTES, 0, followerPlacement, dataTimeMs);
        return Objects.requireNonNull(broker.tier().open(FakeBroker.segment(partition, baseOffset), request));
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
                        followerPlacement,
                        new TopicFilter(List.of(excluded))));
    }

    @Test
    void leaderIsOnTheSsdWhateverItsFollowersAre() throws Exception {
        broker.tier().role("orders-0", true);
        assertThat(deviceOf(open(0, Device.HDD, NOW))).isEqualTo(Device.SSD);
    }

    @Test
    void topicsOwnFollowerPlacementWinsOverTheBrokers() throws Exception {
        broker.tier().role("orders-0", false);
        assertThat(deviceOf(open(0, null, NOW))).isEqualTo(Device.SSD);
        assertThat(deviceOf(open(1, Device.HDD, NOW))).isEqualTo(Device.HDD);
        change(TierMode.ON, Device.HDD);
        assertThat(deviceOf(open(2, null, NOW))).isEqualTo(Device.HDD);
        assertThat(deviceOf(open(3, Device.SSD, NOW))).isEqualTo(Device.SSD);
        assertThat(broker.tier().snapshot().placedOnHdd()).containsEntry(HddReason.FOLLOWER, 2L);
    }

    @Test
    void followerThatBecomesLeaderRolls() throws Exception {
        broker.tier().role("orders-0", false);
        FileChannel channel = open(0, Device.HDD, NOW);
        assertThat(broker.tier().shouldRoll(channel, NOW)).isFalse();
        broker.tier().role("orders-0", true);
        assertThat(broker.tier().shouldRoll(channel, NOW)).isTrue();
        FileChannel next = open(1, Device.HDD, NOW);
        assertThat(deviceOf(next)).isEqualTo(Device.SSD);
        assertThat(broker.tier().shouldRoll(next, NOW)).isFalse();
        broker.tier().role("orders-0", false);
        assertThat(broker.tier().shouldRoll(next, NOW))
                .as("a new follower may fill its segment")
                .isFalse();
    }

    @Test
    void excludedTopicsStayOnTheHdd() throws Exception {
        change(TierMode.ON, Device.SSD, "ord.*", "x");
        FileChannel channel = open(0, null, NOW);
        assertThat(deviceOf(channel)).isEqualTo(Device.HDD);
        assertThat(broker.tier().shouldRoll(channel, NOW)).isFalse();
        change(TierMode.ON, Device.SSD, "ord", "x");
        assertThat(broker.tier().shouldRoll(channel, NOW)).isTrue();
    }

    @Test
    void followersOldDataGoesToTheHddOnceTheSsdHasEvictedNewer() throws Exception {
        for (int i = 0; i < 4; i++) {
            FileChannel channel = open(i, null, NOW);
            FakeBroker.append(channel, bytes(1 << 20));
            Files.setLastModifiedTime(
                    FakeBroker.segment(partition, i), java.nio.file.attribute.FileTime.fromMillis(NOW + i));
        }
        open(4, null, NOW);
        broker.copy();
        broker.evict();
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.WITHOUT_CACHE);

        broker.tier().role("orders-0", false);
        FileChannel old = open(5, null, NOW - 1000);
        assertThat(deviceOf(old)).isEqualTo(Device.HDD);
        assertThat(broker.tier().shouldRoll(old, NOW - 900)).isFalse();
        assertThat(broker.tier().shouldRoll(old, NOW + 60_000))
                .as("it has caught up")
                .isTrue();
        FileChannel fresh = open(6, null, NOW + 60_000);
        assertThat(deviceOf(fresh)).isEqualTo(Device.SSD);
        assertThat(broker.tier().shouldRoll(fresh, NOW - 1000))
                .as("timestamps out of order do not roll")
                .isFalse();
        broker.tier().role("orders-0", true);
        assertThat(deviceOf(open(7, null, NOW - 1000)))
                .as("a leader's data is new to its consumers")
                .isEqualTo(Device.SSD);
    }

    @Test
    void segmentThatFoundNoRoomRollsWhenThereIsRoomAgain() throws Exception {
        usableBytes = FakeBroker.SEGMENT_BYTES - 1;
        FileChannel channel = open(0, null, NOW);
        assertThat(deviceOf(channel)).isEqualTo(Device.HDD);
        assertThat(broker.tier().snapshot().refusedBySsd()).isEqualTo(1);
        assertThat(broker.tier().shouldRoll(channel, NOW)).isFalse();
        usableBytes = FakeBroker.SEGMENT_BYTES;
        assertThat(broker.tier().shouldRoll(channel, NOW)).isTrue();
        FileChannel next = open(1, null, NOW);
        assertThat(deviceOf(next)).isEqualTo(Device.SSD);
        FileChannel other = open(2, null, NOW);
        assertThat(deviceOf(other)).as("the file system's room is reserved").isEqualTo(Device.HDD);
    }

    @Test
    void copiedSegmentsLeaveWhenSomethingElseTakesTheFileSystemsSpace() throws Exception {
        FakeBroker.append(open(0, null, NOW), bytes(1 << 20));
        open(1, null, NOW);
        broker.copy();
        broker.evict();
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.CACHED);
        usableBytes = FakeBroker.SEGMENT_BYTES; // which the active segment may still need
        broker.evict();
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.WITHOUT_CACHE);
    }

    @Test
    void pausedPlacesNothingAndMovesNothing() throws Exception {
        FileChannel onSsd = open(0, null, NOW);
        FakeBroker.append(onSsd, bytes(1000));
        change(TierMode.PAUSED, Device.SSD);
        assertThat(broker.tier().shouldRoll(onSsd, NOW)).isFalse();
        FileChannel next = open(1, null, NOW);
        assertThat(deviceOf(next)).isEqualTo(Device.HDD);
        broker.copy();
        broker.evict();
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.ONLY_CACHE);
        change(TierMode.ON, Device.SSD);
        assertThat(broker.tier().shouldRoll(next, NOW)).isTrue();
        broker.copy();
        assertThat(broker.stateOf(FakeBroker.segment(partition, 0))).isEqualTo(SegmentState.CACHED);
    }

    @Test
    void drainLeavesNoLinkAndAnEmptySsd() throws Exception {
        byte[] sealed = bytes(5000);
        byte[] active = bytes(3000);
        FakeBroker.append(open(0, null, NOW), sealed);
        FileChannel last = open(1, null, NOW);
        FakeBroker.append(last, active);
        FileChannel empty = Objects.requireNonNull(broker.tier()
                .open(
                        FakeBroker.segment(broker.partition("idle-0"), 0),
                        FakeBroker.request(FakeBroker.SEGMENT_BYTES, 0)));
        change(TierMode.DRAIN, Device.SSD);
        assertThat(broker.tier().shouldRoll(last, NOW)).isTrue();
        drain();
        assertThat(broker.listener.events).contains("drained");
        assertThat(root.resolve("ssd0")).isEmptyDirectory();
        assertThat(FakeBroker.segment(partition, 0)).isRegularFile().hasBinaryContent(sealed);
        assertThat(FakeBroker.segment(partition, 1)).isRegularFile().hasBinaryContent(active);
        assertThat(Files.isSymbolicLink(FakeBroker.segment(partition, 1))).isFalse();
        assertThat(deviceOf(empty)).isEqualTo(Device.HDD);
        FakeBroker.append(last, bytes(10));
        assertThat(Files.size(FakeBroker.segment(partition, 1))).isEqualTo(3010);
        assertThat(deviceOf(open(2, null, NOW))).isEqualTo(Device.HDD);

        change(TierMode.ON, Device.SSD);
        assertThat(deviceOf(open(3, null, NOW))).as("and back again").isEqualTo(Device.SSD);
        broker.restart();
        assertThat(FakeBroker.read(open(1, null, NOW))).hasSize(3010);
    }

    @Test
    void appendDuringADrainIsNotLost() throws Exception {
        FileChannel channel = open(0, null, NOW);
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

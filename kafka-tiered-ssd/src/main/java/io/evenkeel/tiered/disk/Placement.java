/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.file.SegmentFileName;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a new segment belongs on an SSD, and when the active one may end early because the next would be on
 * another device. Thread safe.
 *
 * <p>A leader's segments always belong on an SSD. A follower's segments do unless their topic, or the broker's default,
 * says otherwise, or unless it is not in sync: a replica that catches up must not push fresh data out.
 */
public final class Placement {
    /** Early rolls must not fill the HDD with small segments: one is worth a new segment from this size on. */
    private static final long WORTH_BYTES = 16 << 20;
    /** And from this part of the size that it may grow to. */
    private static final long WORTH_PART = 16;

    /**
     * A roll creates files and fsyncs them under its log's lock, and thousands of partitions may have the same reason
     * to roll at their next append. So those that can wait take turns.
     */
    public static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private enum Role {
        LEADER,
        FOLLOWER,
        CATCHING_UP
    }

    private final Supplier<DynamicTierSettings> settings;
    private final LongSupplier nanoClock;
    private final AtomicLong nextRollNanos;
    /** By the name of the partition's directory; a partition whose role is unknown is treated as led. */
    private final Map<String, Role> roles = new ConcurrentHashMap<>();

    public Placement(Supplier<DynamicTierSettings> settings, LongSupplier nanoClock) {
        this.settings = settings;
        this.nanoClock = nanoClock;
        this.nextRollNanos = new AtomicLong(nanoClock.getAsLong());
    }

    public void role(String partition, boolean leader) {
        roles.compute(partition, (any, was) -> leader ? Role.LEADER : was == Role.CATCHING_UP ? was : Role.FOLLOWER);
    }

    public void follows(String partition, boolean inSync) {
        roles.put(partition, inSync ? Role.FOLLOWER : Role.CATCHING_UP);
    }

    public void left(String partition) {
        roles.remove(partition);
    }

    /** Why a new segment belongs on the HDD; null when it belongs on an SSD. */
    public @Nullable HddReason hddReason(Path partitionDir, @Nullable Device followerPlacement) {
        String partition = SegmentFileName.nameOf(partitionDir);
        DynamicTierSettings now = settings.get();
        if (SegmentFileName.isFuture(partitionDir) || SegmentFileName.isDying(partitionDir)) {
            return HddReason.NOT_LIVE;
        }
        if (now.mode() != TierMode.ON && now.mode() != TierMode.SHADOW) {
            return HddReason.MODE;
        }
        if (now.excludedTopics().matches(SegmentFileName.topicOf(partition))) {
            return HddReason.EXCLUDED;
        }
        Role role = roles.getOrDefault(partition, Role.LEADER);
        if (role == Role.LEADER) {
            return null;
        }
        if ((followerPlacement == null ? now.followerPlacement() : followerPlacement) == Device.HDD) {
            return HddReason.FOLLOWER;
        }
        return role == Role.CATCHING_UP ? HddReason.CATCHING_UP : null;
    }

    /** True when no segment may stay active on that SSD. */
    public boolean mustLeave(SsdDir ssd) {
        return settings.get().mode() == TierMode.DRAIN || ssd.isSuspect();
    }

    /**
     * True when an active segment on the HDD should end now, because the next one would be on an SSD. One that is on
     * the HDD because its creation on the SSD failed stays there until it is full; otherwise Kafka would roll again and
     * again.
     *
     * @param why the segment began on the HDD; null when that is not known
     */
    public boolean shouldMoveToSsd(
            LogDir logDir, Path partitionDir, OpenRequest request, long sizeBytes, @Nullable HddReason why) {
        long segmentBytes = request.segmentBytes();
        return sizeBytes >= Math.min(WORTH_BYTES, segmentBytes / WORTH_PART)
                && why != HddReason.SSD_FAILED
                && !logDir.ssdDirs().isEmpty()
                && hddReason(partitionDir, request.followerPlacement()) == null
                && takeTurn()
                && logDir.hasRoom(
                        SpaceReservation.roomBytes(segmentBytes), settings.get().highWatermarkRatio());
    }

    /** True when an active segment that could stay a little longer may end now. */
    public boolean takeTurn() {
        long nowNanos = nanoClock.getAsLong();
        long dueNanos = nextRollNanos.get();
        return nowNanos - dueNanos >= 0 && nextRollNanos.compareAndSet(dueNanos, nowNanos + TURN_NANOS);
    }
}

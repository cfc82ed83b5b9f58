/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.disk.SpaceReservation;
import io.evenkeel.tiered.disk.SsdFile;
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
 * Decides whether a new segment belongs on an SSD, and when the active one ends early because the next would be on
 * another device. Thread safe.
 *
 * <p>A leader's segments always belong on an SSD. A follower's segments do unless their topic, or the broker's default,
 * says otherwise, or unless it is not in sync: a replica that catches up must not push fresh data out.
 */
final class Placement {
    /** Early rolls must not fill the HDD with small segments: one is worth a new segment from this size on. */
    private static final long WORTH_BYTES = 16 << 20;
    /** And from this part of the size that it may grow to. */
    private static final long WORTH_PART = 16;

    /**
     * A roll creates files and fsyncs them under its log's lock, and thousands of partitions may have the same reason
     * to roll at their next append. So those that can wait take turns.
     */
    static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

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

    Placement(Supplier<DynamicTierSettings> settings, LongSupplier nanoClock) {
        this.settings = settings;
        this.nanoClock = nanoClock;
        this.nextRollNanos = new AtomicLong(nanoClock.getAsLong());
    }

    void role(String partition, boolean leader) {
        roles.compute(partition, (any, was) -> leader ? Role.LEADER : was == Role.CATCHING_UP ? was : Role.FOLLOWER);
    }

    void follows(String partition, boolean inSync) {
        roles.put(partition, inSync ? Role.FOLLOWER : Role.CATCHING_UP);
    }

    void left(String partition) {
        roles.remove(partition);
    }

    /** Why a new segment belongs on the HDD; null when it belongs on an SSD. */
    @Nullable
    HddReason hddReason(Path partitionDir, @Nullable Device followerPlacement) {
        String partition = SegmentFileName.nameOf(partitionDir);
        DynamicTierSettings now = settings.get();
        if (SegmentFileName.isFuture(partitionDir) || SegmentFileName.isDying(partitionDir)) {
            return HddReason.NOT_LIVE;
        }
        if (now.mode() != TierMode.ON) {
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

    /**
     * True when the next append should begin a new segment. Quick: called for each append.
     *
     * @param appendBytes the size of the append; space for it is reserved here
     */
    boolean shouldRoll(Segment active, long appendBytes) {
        SsdFile onSsd = active.storage().ssdFile();
        if (onSsd == null) {
            return active.state() == SegmentState.WITHOUT_CACHE
                    && !active.logDir().ssdDirs().isEmpty()
                    && shouldMoveToSsd(active);
        }
        if (settings.get().mode() == TierMode.DRAIN || onSsd.dir().isSuspect()) {
            return takeTurn();
        }
        boolean fits = !onSsd.dir().isCrowded() && reserve(active, appendBytes);
        return !fits && active.storage().sizeBytes() > 0;
    }

    private static boolean reserve(Segment active, long appendBytes) {
        SegmentStorage storage = active.storage();
        if (storage.hasRoomFor(appendBytes)) {
            return true;
        }
        active.lock().lock();
        try {
            return storage.reserve(appendBytes, active.request().segmentBytes());
        } finally {
            active.lock().unlock();
        }
    }

    private boolean takeTurn() {
        long nowNanos = nanoClock.getAsLong();
        long dueNanos = nextRollNanos.get();
        return nowNanos - dueNanos >= 0 && nextRollNanos.compareAndSet(dueNanos, nowNanos + TURN_NANOS);
    }

    /**
     * A segment that is on the HDD because its creation on the SSD failed stays there until it is full; otherwise Kafka
     * would roll again and again.
     */
    private boolean shouldMoveToSsd(Segment active) {
        long segmentBytes = active.request().segmentBytes();
        return active.storage().sizeBytes() >= Math.min(WORTH_BYTES, segmentBytes / WORTH_PART)
                && active.storage().hddReason() != HddReason.SSD_FAILED
                && hddReason(active.name().dir(), active.request().followerPlacement()) == null
                && takeTurn()
                && active.logDir()
                        .hasRoom(
                                SpaceReservation.roomBytes(segmentBytes),
                                settings.get().highWatermarkRatio());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.file.SegmentFileName;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a new segment belongs on an SSD. Thread safe.
 *
 * <p>A leader's segments always do. A follower's segments do unless their topic, or the broker's default, says
 * otherwise, or unless their data is older than data that the SSD has evicted already: a replica that catches up from
 * scratch must not push fresh data out.
 */
final class Placement {
    private final Supplier<DynamicTierSettings> settings;
    /** By the name of the partition's directory; a partition whose role is unknown is treated as led. */
    private final Map<String, Boolean> leads = new ConcurrentHashMap<>();

    Placement(Supplier<DynamicTierSettings> settings) {
        this.settings = settings;
    }

    void role(String partition, boolean leader) {
        leads.put(partition, leader);
    }

    void left(String partition) {
        leads.remove(partition);
    }

    /** Why a new segment belongs on the HDD; null when it belongs on an SSD. */
    @Nullable
    HddReason hddReason(LogDir logDir, Path partitionDir, @Nullable Device followerPlacement, long dataTimeMs) {
        String partition = SegmentFileName.nameOf(partitionDir);
        DynamicTierSettings now = settings.get();
        if (SegmentFileName.isFuture(partitionDir) || SegmentFileName.isDying(partitionDir)) {
            return HddReason.NOT_LIVE;
        }
        if (now.mode() != TierMode.ON) {
            return HddReason.MODE;
        }
        if (now.excludedTopics().matches(partition.substring(0, Math.max(0, partition.lastIndexOf('-'))))) {
            return HddReason.EXCLUDED;
        }
        if (leads.getOrDefault(partition, true)) {
            return null;
        }
        if ((followerPlacement == null ? now.followerPlacement() : followerPlacement) == Device.HDD) {
            return HddReason.FOLLOWER;
        }
        return dataTimeMs < logDir.horizonMs() ? HddReason.OLD_DATA : null;
    }

    /**
     * True when the active segment is on the wrong device, so that the next append should begin a new one.
     *
     * <p>A segment leaves the SSD early only for a drain: all other reasons can wait until it is full. A segment that
     * is on the HDD because its creation on the SSD failed stays there until it is full; otherwise Kafka would roll
     * with each append.
     */
    boolean shouldRoll(Segment active, long dataTimeMs) {
        if (active.state() != SegmentState.WITHOUT_CACHE) {
            return settings.get().mode() == TierMode.DRAIN;
        }
        OpenRequest request = active.request();
        return active.storage().hddReason() != HddReason.SSD_FAILED
                && hddReason(active.logDir(), active.name().dir(), request.followerPlacement(), dataTimeMs) == null
                && active.logDir().hasRoom(request.segmentBytes());
    }
}

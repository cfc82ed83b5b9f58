/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.identity.DiskEnsemble;
import io.evenkeel.tiered.identity.SsdRemainder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Takes all segments off the SSDs in {@link TierMode#DRAIN}. Not thread safe: one worker runs it.
 *
 * <p>It only hands segments, active ones included, to the copiers. The copiers copy them, and the evictors free the
 * space. When no segment is left, it releases the SSDs, unless they hold other data. It ends in any case: what cannot
 * leave is reported.
 */
final class Drain {
    /** Longer than Kafka takes by default to delete a file that waits for it. */
    static final long LONGEST_QUIET_NANOS = TimeUnit.MINUTES.toNanos(2);

    private final Supplier<DynamicTierSettings> settings;
    private final DiskEnsemble disks;
    private final List<SsdDir> ssdDirs;
    private final SegmentMap segments;
    private final Consumer<Segment> toCopy;
    private final TierListener listener;
    private boolean draining;
    private boolean done;
    /** Unchanged since {@link #quietSinceNanos}; -1 before the first look. */
    private long usedBytes = -1;

    private long quietSinceNanos;

    Drain(
            Supplier<DynamicTierSettings> settings,
            DiskEnsemble disks,
            List<SsdDir> ssdDirs,
            SegmentMap segments,
            Consumer<Segment> toCopy,
            TierListener listener) {
        this.settings = settings;
        this.disks = disks;
        this.ssdDirs = ssdDirs;
        this.segments = segments;
        this.toCopy = toCopy;
        this.listener = listener;
    }

    /**
     * Hands over the segments that are on an SSD now, and finishes the drain when there are none.
     *
     * @return the time to wait before the next step
     */
    long step(long nowNanos) throws IOException {
        if (isWanted()) {
            draining = true;
            segments.forEach(segment -> {
                segment.life().draining(true, nowNanos);
                if (segment.state() == SegmentState.ONLY_CACHE) {
                    toCopy.accept(segment);
                }
            });
            finish(nowNanos);
        } else if (draining) {
            draining = false;
            done = false;
            usedBytes = -1;
            segments.forEach(segment -> segment.life().draining(false, nowNanos));
        }
        return TimeUnit.MILLISECONDS.toNanos(settings.get().copyIntervalMs());
    }

    private boolean isWanted() {
        return settings.get().mode() == TierMode.DRAIN;
    }

    /** An SSD counts as empty at the second look: a segment may have been placed there as the drain began. */
    private void finish(long nowNanos) throws IOException {
        long usedNow = ssdDirs.stream().mapToLong(SsdDir::usedBytes).sum();
        List<Path> staying = new ArrayList<>();
        boolean moving = addStaying(staying);
        if (moving || usedNow != usedBytes) {
            usedBytes = usedNow;
            quietSinceNanos = nowNanos;
            done = false;
        } else if (!done) {
            done = end(staying, nowNanos - quietSinceNanos >= LONGEST_QUIET_NANOS);
        }
    }

    /** Adds the segments that cannot leave their SSD; returns true when another one can. */
    private boolean addStaying(List<Path> staying) {
        boolean[] moving = {ssdDirs.stream().anyMatch(ssd -> !ssd.retired().isEmpty())};
        segments.forEach(segment -> {
            if (segment.storage().ssdFile() == null) {
                return;
            }
            boolean leaves = segment.isWaiting() || segment.isEvictable();
            if (leaves && !segment.life().keepsFailing()) {
                moving[0] = true;
            } else {
                staying.add(segment.path());
            }
        });
        return moving[0];
    }

    private boolean end(List<Path> staying, boolean quietForLong) throws IOException {
        if (usedBytes == 0 && staying.isEmpty()) {
            SsdRemainder left = disks.release(this::isWanted);
            if (left == null || (!left.ours().isEmpty() && !quietForLong)) {
                return false;
            }
            listener.drained(left.all());
            return true;
        }
        if (quietForLong) {
            listener.drainHeldUp(staying);
        }
        return quietForLong;
    }
}

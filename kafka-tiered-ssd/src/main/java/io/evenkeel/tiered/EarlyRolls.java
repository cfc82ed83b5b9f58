/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.disk.Placement;
import io.evenkeel.tiered.disk.SsdFile;

/** Asks {@link Placement}, and the account of the SSD, whether an active segment ends before it is full. Stateless. */
final class EarlyRolls {
    private EarlyRolls() {}

    /**
     * True when the next append should begin a new segment. Quick: called for each append.
     *
     * @param appendBytes the size of the append; space for it is reserved here
     */
    static boolean shouldRoll(Placement placement, Segment active, long appendBytes) {
        SegmentStorage storage = active.storage();
        SsdFile onSsd = storage.ssdFile();
        if (onSsd == null) {
            return active.state() == SegmentState.WITHOUT_CACHE
                    && placement.shouldMoveToSsd(
                            active.logDir(),
                            active.name().dir(),
                            active.request(),
                            storage.sizeBytes(),
                            storage.hddReason());
        }
        if (placement.mustLeave(onSsd.dir())) {
            return placement.takeTurn();
        }
        boolean fits = !onSsd.dir().isCrowded() && reserve(active, appendBytes);
        return !fits && storage.sizeBytes() > 0;
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
}

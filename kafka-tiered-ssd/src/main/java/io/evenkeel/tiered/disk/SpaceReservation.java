/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import org.jspecify.annotations.Nullable;

/**
 * The space that one segment reserves on its SSD. Used under the segment's lock, but for {@link #has}.
 *
 * <p>An active segment reserves a step ahead of what it holds: as much again, between 1 and 64 MiB. So thousands of
 * quiet partitions reserve little, and a busy one reserves seldom. A sealed segment reserves what it holds.
 */
public final class SpaceReservation {
    private static final long SHORTEST_STEP_BYTES = 1 << 20;
    private static final long LONGEST_STEP_BYTES = 64 << 20;

    private @Nullable SsdDir ssd;
    private volatile long reservedBytes;
    private long unwrittenBytes;
    private boolean cached;

    /** The SSD has {@code reservedBytes} on its account already, all but {@code sizeBytes} of them as unwritten. */
    public SpaceReservation(SsdDir ssd, long reservedBytes, long sizeBytes) {
        this.ssd = ssd;
        this.reservedBytes = reservedBytes;
        this.unwrittenBytes = reservedBytes - sizeBytes;
    }

    private SpaceReservation() {
        this.ssd = null;
    }

    /** Of a segment that is not on an SSD. */
    public static SpaceReservation none() {
        return new SpaceReservation();
    }

    /** What a new segment reserves. */
    public static long firstStepBytes(long segmentBytes) {
        return Math.min(segmentBytes, SHORTEST_STEP_BYTES);
    }

    /** What must be free for a new segment, so that it need not leave again at once. */
    public static long roomBytes(long segmentBytes) {
        return Math.min(segmentBytes, LONGEST_STEP_BYTES);
    }

    /** What an active segment reserves at the most beyond what it holds. */
    public static long aheadBytes(long sizeBytes, long segmentBytes) {
        long stepBytes = Math.max(SHORTEST_STEP_BYTES, Math.min(LONGEST_STEP_BYTES, sizeBytes));
        return Math.max(0, Math.min(stepBytes, segmentBytes - sizeBytes));
    }

    /** True when the segment may hold that many bytes. Takes no lock. */
    public boolean has(long sizeBytes) {
        return sizeBytes <= reservedBytes;
    }

    /**
     * Reserves space for a segment that is about to hold {@code sizeBytes}, and the next step; false when that does not
     * fit.
     *
     * @param segmentBytes the size that it may grow to
     */
    public boolean grow(long sizeBytes, long segmentBytes) {
        SsdDir account = ssd;
        if (account == null || has(sizeBytes)) {
            return true;
        }
        long wantedBytes = sizeBytes + aheadBytes(sizeBytes, segmentBytes);
        long moreBytes = wantedBytes - reservedBytes;
        if (!account.reserve(moreBytes, moreBytes)) {
            return false;
        }
        account.addCached(cached ? moreBytes : 0);
        reservedBytes = wantedBytes;
        unwrittenBytes += moreBytes;
        return true;
    }

    /** The segment holds that many bytes now; the reservation does not shrink. */
    public void holds(long sizeBytes) {
        set(Math.max(reservedBytes, sizeBytes), sizeBytes);
    }

    /** The segment holds that many bytes and will not grow. */
    public void trim(long sizeBytes) {
        set(sizeBytes, sizeBytes);
    }

    /** Says whether the HDD has a complete copy. */
    public void cached(boolean isCached) {
        SsdDir account = ssd;
        if (account != null && isCached != cached) {
            cached = isCached;
            account.addCached(isCached ? reservedBytes : -reservedBytes);
        }
    }

    /**
     * The segment leaves the SSD.
     *
     * @return the bytes that stay reserved until the SSD file is deleted
     */
    public long release() {
        SsdDir left = ssd;
        if (left == null) {
            return 0;
        }
        cached(false);
        left.addReserved(0, -unwrittenBytes);
        ssd = null;
        return reservedBytes;
    }

    private void set(long newReservedBytes, long sizeBytes) {
        SsdDir account = ssd;
        if (account == null) {
            return;
        }
        long newUnwrittenBytes = newReservedBytes - sizeBytes;
        account.addReserved(newReservedBytes - reservedBytes, newUnwrittenBytes - unwrittenBytes);
        account.addCached(cached ? newReservedBytes - reservedBytes : 0);
        reservedBytes = newReservedBytes;
        unwrittenBytes = newUnwrittenBytes;
    }
}

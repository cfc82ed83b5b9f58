/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import org.jspecify.annotations.Nullable;

/**
 * The space that one segment reserves on its SSD. Not thread safe: used under the segment's lock.
 *
 * <p>An active segment reserves the size that it may grow to, a sealed one its present size. The difference is reserved
 * but not written yet.
 */
public final class SpaceReservation {
    private @Nullable SsdDir ssd;
    private long reservedBytes;
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import org.jspecify.annotations.Nullable;

/**
 * What one segment takes of its SSD's space. Not thread safe: used under the segment's lock.
 *
 * <p>An active segment has booked what it may grow to, a sealed one what it holds. The difference is promised, but not
 * written yet.
 */
public final class SpaceReservation {
    private @Nullable SsdDir ssd;
    private long bookedBytes;
    private long unwrittenBytes;
    private boolean cached;

    /** {@code bookedBytes}, and of them all but {@code sizeBytes} as unwritten, are already on the SSD's account. */
    public SpaceReservation(SsdDir ssd, long bookedBytes, long sizeBytes) {
        this.ssd = ssd;
        this.bookedBytes = bookedBytes;
        this.unwrittenBytes = bookedBytes - sizeBytes;
    }

    private SpaceReservation() {
        this.ssd = null;
    }

    /** Of a segment that is not on an SSD. */
    public static SpaceReservation none() {
        return new SpaceReservation();
    }

    /** The segment holds so many bytes now; what was promised to it stays promised. */
    public void holds(long sizeBytes) {
        set(Math.max(bookedBytes, sizeBytes), sizeBytes);
    }

    /** The segment holds so many bytes and will not grow. */
    public void trim(long sizeBytes) {
        set(sizeBytes, sizeBytes);
    }

    /** Says whether the HDD has all of it, too. */
    public void cached(boolean isCached) {
        SsdDir account = ssd;
        if (account != null && isCached != cached) {
            cached = isCached;
            account.bookCached(isCached ? bookedBytes : -bookedBytes);
        }
    }

    /**
     * The segment leaves the SSD and takes nothing of it any more; the answer is still booked, until its file is gone.
     */
    public long leave() {
        SsdDir left = ssd;
        if (left == null) {
            return 0;
        }
        cached(false);
        left.book(0, -unwrittenBytes);
        ssd = null;
        return bookedBytes;
    }

    private void set(long newBookedBytes, long sizeBytes) {
        SsdDir account = ssd;
        if (account == null) {
            return;
        }
        long newUnwrittenBytes = newBookedBytes - sizeBytes;
        account.book(newBookedBytes - bookedBytes, newUnwrittenBytes - unwrittenBytes);
        account.bookCached(cached ? newBookedBytes - bookedBytes : 0);
        bookedBytes = newBookedBytes;
        unwrittenBytes = newUnwrittenBytes;
    }
}

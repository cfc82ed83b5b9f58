/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

/**
 * How fast bytes have become unflushed on a device: the mean over the recent past, or over as much of it as there is. Not
 * thread safe; told the time.
 *
 * <p>The past is kept in a ring of slots and forgotten a slot at a time. So a wave that comes back several times within
 * it leaves no trace in the mean, and what came in before it has no weight, however much that was.
 */
final class InflowRate {
    private static final int SLOTS = 64;

    private final long slotNanos;
    private final long[] cameBytes = new long[SLOTS];
    private int slot;
    private long slotBeganNanos;
    private int pastSlots;
    private long sumBytes;
    private long expectedBytes;
    private long lastNanos;
    private boolean begun;

    /** @param memoryNanos how much of the past counts */
    InflowRate(long memoryNanos) {
        this.slotNanos = Math.max(1, memoryNanos / SLOTS);
    }

    /** So much is unflushed now. */
    void look(long unflushedBytes, long nowNanos) {
        if (begun && nowNanos - lastNanos <= 0) {
            return;
        }
        if (begun) {
            came(Math.max(0, unflushedBytes - expectedBytes), nowNanos);
        } else {
            slotBeganNanos = nowNanos;
        }
        begun = true;
        lastNanos = nowNanos;
        expectedBytes = unflushedBytes;
    }

    private void came(long bytes, long nowNanos) {
        long ended = (nowNanos - slotBeganNanos) / slotNanos;
        for (long i = 0; i < Math.min(ended, SLOTS); i++) {
            slot = (slot + 1) % SLOTS;
            sumBytes -= cameBytes[slot];
            cameBytes[slot] = 0;
        }
        slotBeganNanos += ended * slotNanos;
        pastSlots = (int) Math.min(SLOTS - 1L, pastSlots + ended);
        cameBytes[slot] += bytes;
        sumBytes += bytes;
    }

    /** So much of it is about to be flushed. */
    void leaves(long bytes) {
        expectedBytes -= bytes;
    }

    double bytesPerNano() {
        long knownNanos = pastSlots * slotNanos + (lastNanos - slotBeganNanos);
        return knownNanos == 0 ? 0 : (double) sumBytes / knownNanos;
    }
}

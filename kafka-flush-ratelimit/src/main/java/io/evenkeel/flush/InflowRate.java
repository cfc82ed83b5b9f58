/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

/**
 * The rate at which unflushed bytes come in on a device: the mean over the recent past, or over as much of it as is
 * known. Not thread safe; time is an argument.
 *
 * <p>The past is kept in a ring of slots and forgotten slot by slot. So a wave that repeats several times within it
 * does not change the mean, and older bytes have no weight, however many they were.
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

    /** @param memoryNanos the length of the past that counts */
    InflowRate(long memoryNanos) {
        this.slotNanos = Math.max(1, memoryNanos / SLOTS);
    }

    /** Observes the unflushed bytes of the device now. */
    void observe(long unflushedBytes, long nowNanos) {
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

    /** A flush of this many bytes is about to begin. */
    void leaves(long bytes) {
        expectedBytes -= bytes;
    }

    double bytesPerNano() {
        long knownNanos = pastSlots * slotNanos + (lastNanos - slotBeganNanos);
        return knownNanos == 0 ? 0 : (double) sumBytes / knownNanos;
    }
}

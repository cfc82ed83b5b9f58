/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.flush;

/**
 * How fast bytes have become dirty on a device, averaged over the recent past. Not thread safe; told the time.
 *
 * <p>It is a weighted mean in which the weight of the past falls exponentially; until there is as much of a past as it
 * remembers, it is the plain mean of what there is.
 */
final class Inflow {
    private final long memoryNanos;
    private double meanBytesPerNano;
    private long knownNanos;
    private long expectedBytes;
    private long lastNanos;
    private boolean begun;

    /** @param memoryNanos in which the weight of the past falls to a third */
    Inflow(long memoryNanos) {
        this.memoryNanos = memoryNanos;
    }

    /** So much is dirty now. */
    void look(long dirtyBytes, long nowNanos) {
        long passedNanos = Math.max(0, nowNanos - lastNanos);
        if (begun && passedNanos > 0) {
            long cameBytes = Math.max(0, dirtyBytes - expectedBytes);
            knownNanos = Math.min(memoryNanos, knownNanos + passedNanos);
            double weight = Math.min(1, (double) passedNanos / knownNanos);
            meanBytesPerNano += weight * ((double) cameBytes / passedNanos - meanBytesPerNano);
        }
        if (!begun || passedNanos > 0) {
            lastNanos = nowNanos;
            expectedBytes = dirtyBytes;
            begun = true;
        }
    }

    /** So much of it is about to be forced. */
    void leaves(long bytes) {
        expectedBytes -= bytes;
    }

    double bytesPerNano() {
        return meanBytesPerNano;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/** The number of reads that waited for a disk, and the sum of their waits. Immutable. */
public record ReadWaits(long operations, long nanos) {
    public static final ReadWaits NONE = new ReadWaits(0, 0);

    public ReadWaits plus(ReadWaits other) {
        return new ReadWaits(operations + other.operations, nanos + other.nanos);
    }

    public ReadWaits since(ReadWaits earlier) {
        return new ReadWaits(operations - earlier.operations, nanos - earlier.nanos);
    }

    /** 0 when nothing waited. */
    public long meanNanos() {
        return operations == 0 ? 0 : nanos / operations;
    }
}

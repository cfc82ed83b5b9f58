/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

/** How many operations had to wait for a disk, and how long all together. Immutable. */
public record DiskWaits(long operations, long nanos) {
    static final DiskWaits NONE = new DiskWaits(0, 0);

    DiskWaits plus(DiskWaits other) {
        return new DiskWaits(operations + other.operations, nanos + other.nanos);
    }

    DiskWaits since(DiskWaits earlier) {
        return new DiskWaits(operations - earlier.operations, nanos - earlier.nanos);
    }

    /** 0 when nothing waited. */
    long meanNanos() {
        return operations == 0 ? 0 : nanos / operations;
    }
}

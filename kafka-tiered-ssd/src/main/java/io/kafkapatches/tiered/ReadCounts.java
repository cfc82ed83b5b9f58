/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.util.concurrent.atomic.LongAdder;

/** Bytes read from each device since the start. Thread safe, made for many threads that add and few that read. */
public final class ReadCounts {
    private final LongAdder ssd = new LongAdder();
    private final LongAdder hdd = new LongAdder();

    /** Adds what an operation read; the -1 of an end of file adds nothing. */
    void add(Device device, long bytes) {
        if (bytes > 0) {
            (device == Device.SSD ? ssd : hdd).add(bytes);
        }
    }

    public long bytes(Device device) {
        return (device == Device.SSD ? ssd : hdd).sum();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * What patches in the shadow would have done since a running broker's start. Immutable.
 *
 * @param tier null when the SSD tier is not in the shadow
 * @param flush null when flushing by rate is not in the shadow
 */
record ShadowGain(@Nullable Tier tier, @Nullable Flush flush) {
    private static final String FLUSH = "kafka.log:type=FlushRatelimit,name=";

    /**
     * The SSD tier.
     *
     * @param hddWaits reads that waited for an HDD
     * @param savedWaits those of them that would have found their bytes on an SSD
     */
    record Tier(
            long capacityBytes,
            long heldBytes,
            long ssdReadBytes,
            long hddReadBytes,
            long hddWaits,
            long savedWaits,
            long savedWaitMs,
            long evictedSegments,
            long refusedSegments) {
        static Tier of(RunningBroker broker) throws IOException {
            return new Tier(
                    broker.tier("ShadowCapacityBytes"),
                    broker.tier("ShadowBytes"),
                    broker.tier("ShadowSsdReadBytes"),
                    broker.tier("ShadowHddReadBytes"),
                    broker.tier("HddReadWaits"),
                    broker.tier("ShadowSavedWaits"),
                    broker.tier("ShadowSavedWaitMs"),
                    broker.tier("ShadowEvictedSegments"),
                    broker.tier("ShadowRefusedSegments"));
        }

        void show(Output output) {
            long readBytes = ssdReadBytes + hddReadBytes;
            output.line("In the shadow, the SSD tier would have done since the start:");
            output.line("  reads   "
                    + (readBytes == 0 ? "none" : 100 * ssdReadBytes / readBytes + " % of " + Output.size(readBytes))
                    + " from the SSDs");
            output.line("  waits   " + savedWaits + " saved, of " + Output.count(hddWaits, "read")
                    + " that waited for an HDD; " + savedWaitMs + " ms");
            output.line("  SSDs    " + Output.size(heldBytes) + " of " + Output.size(capacityBytes) + " in use; "
                    + Output.count(evictedSegments, "segment") + " evicted, " + refusedSegments + " found no room");
            output.line("");
        }
    }

    /** Flushing by rate. */
    record Flush(long flushes, long flushedBytes, long highestPendingBytes, long highestPendingSpanMs) {
        static Flush of(RunningBroker broker) throws IOException {
            return new Flush(
                    broker.number(FLUSH + "Flushes"),
                    broker.number(FLUSH + "FlushedBytes"),
                    broker.number(FLUSH + "HighestPendingBytes"),
                    broker.number(FLUSH + "HighestPendingSpanMs"));
        }

        void show(Output output) {
            output.line("In the shadow, flushing by rate would have done since the start:");
            output.line("  flushes " + flushes + ", of " + Output.size(flushedBytes));
            output.line("  bounds  " + Output.size(highestPendingBytes) + " and " + highestPendingSpanMs
                    + " ms of one partition were unflushed at the most");
            output.line("");
        }
    }

    static ShadowGain of(RunningBroker broker) throws IOException {
        boolean flushIsShadow = broker.has(FLUSH + "Shadow") && broker.number(FLUSH + "Shadow") == 1;
        return new ShadowGain(
                broker.tier("ShadowCapacityBytes") > 0 ? Tier.of(broker) : null,
                flushIsShadow ? Flush.of(broker) : null);
    }

    void show(Output output) {
        if (tier != null) {
            tier.show(output);
        }
        if (flush != null) {
            flush.show(output);
        }
    }
}

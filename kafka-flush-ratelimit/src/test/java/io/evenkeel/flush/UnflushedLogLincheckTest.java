/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * I1 to I3 under many interleavings of small scenarios: appends, the worker and truncations see a log as they would see
 * it if only one of them ran at a time.
 *
 * <p>{@code -Dlincheck.iterations} and {@code -Dlincheck.invocations} say how many scenarios, and how many
 * interleavings of each.
 */
@Tag("slow")
class UnflushedLogLincheckTest {
    private static final long MAX_BYTES = 64 << 10;
    private static final long HALF = MAX_BYTES / 2;

    @Test
    void appendsFlushesAndTruncationsAreAtomic() {
        new ModelCheckingOptions()
                .iterations(Integer.getInteger("lincheck.iterations", 6))
                .invocationsPerIteration(Integer.getInteger("lincheck.invocations", 150))
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(2)
                .sequentialSpecification(Model.class)
                .check(Shared.class);
    }

    /**
     * One log, with batches of half of the bound. The appending thread has the partition's lock; the other thread only
     * has a reservation.
     */
    public static class Shared {
        private final UnflushedLog log =
                new UnflushedLog(new FlushSettings(MAX_BYTES, 1000, new FlushRates(1, FlushRates.UNLIMITED)));
        private UnflushedLog.@Nullable Reservation ofOther;
        private UnflushedLog.@Nullable Reservation ofAppend;
        private long end;

        @Operation(nonParallelGroup = "other")
        public boolean reserve() {
            if (ofOther == null) {
                ofOther = log.reserve(HALF, 0);
            }
            return ofOther != null;
        }

        @Operation(nonParallelGroup = "other")
        public void release() {
            if (ofOther != null) {
                ofOther.release();
                ofOther = null;
            }
        }

        @Operation(nonParallelGroup = "partition")
        public boolean beginAppend() {
            if (ofAppend == null) {
                ofAppend = log.reserve(HALF, 0);
            }
            return ofAppend != null;
        }

        @Operation(nonParallelGroup = "partition")
        public void write() {
            if (ofAppend != null && end == 0) {
                log.appended(end, ++end, HALF, 0);
            }
        }

        @Operation(nonParallelGroup = "partition")
        public void endAppend() {
            if (ofAppend != null) {
                ofAppend.release();
                ofAppend = null;
                end = 0;
            }
        }

        @Operation(nonParallelGroup = "partition")
        public void truncate() {
            log.cleared();
        }

        @Operation
        public boolean flush() {
            log.flushBegins(0);
            return log.flushed(Long.MAX_VALUE);
        }

        @Operation
        public long unflushedBytes() {
            UnflushedLog.Pending pending = log.pending();
            return pending == null ? 0 : pending.bytes();
        }
    }

    /** What {@link Shared} must look like. */
    public static class Model {
        private boolean ofOther;
        private boolean ofAppend;
        private boolean written;
        private long unflushed;

        public boolean reserve() {
            ofOther |= hasRoom();
            return ofOther;
        }

        public void release() {
            ofOther = false;
        }

        public boolean beginAppend() {
            ofAppend |= hasRoom();
            return ofAppend;
        }

        public void write() {
            if (ofAppend && !written) {
                unflushed += HALF;
                written = true;
            }
        }

        public void endAppend() {
            ofAppend = false;
            written = false;
        }

        public void truncate() {
            unflushed = 0;
        }

        public boolean flush() {
            boolean was = unflushed > 0;
            unflushed = 0;
            return was;
        }

        public long unflushedBytes() {
            return unflushed;
        }

        private boolean hasRoom() {
            return unflushed + (ofOther ? HALF : 0) + (ofAppend ? HALF : 0) <= HALF;
        }
    }
}

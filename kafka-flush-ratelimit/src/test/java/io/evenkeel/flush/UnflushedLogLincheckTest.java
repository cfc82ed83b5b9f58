/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * I1 and I2 under many interleavings of small scenarios: appends, the worker and truncations see a log as they would
 * see it if only one of them ran at a time.
 *
 * <p>{@code -Dlincheck.iterations} and {@code -Dlincheck.invocations} say how many scenarios, and how many
 * interleavings of each.
 */
@Tag("slow")
class UnflushedLogLincheckTest {
    private static final long BATCH_BYTES = 64 << 10;

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

    /** One log. The appending thread has the partition's lock; appends that ask for room have none. */
    public static class Shared {
        private static final FlushSettings BOUNDS =
                new FlushSettings(2 * BATCH_BYTES, 1000, 1, FlushSettings.UNLIMITED, 0, true, false);

        private final UnflushedLog log = new UnflushedLog();
        private long end;

        @Operation
        public boolean hasRoom() {
            return log.hasRoom(BATCH_BYTES, BOUNDS);
        }

        @Operation(nonParallelGroup = "partition")
        public void append() {
            log.appended(end, ++end, BATCH_BYTES, BOUNDS, 0);
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
        public boolean beginsToExceed() {
            return log.beginsToExceed(BOUNDS, 0);
        }

        @Operation
        public long unflushedBytes() {
            UnflushedLog.Pending pending = log.pending();
            return pending == null ? 0 : pending.bytes();
        }
    }

    /** What {@link Shared} must look like. */
    public static class Model {
        private long unflushed;
        private boolean exceeds;

        public boolean hasRoom() {
            return unflushed <= BATCH_BYTES;
        }

        public void append() {
            unflushed += BATCH_BYTES;
        }

        public void truncate() {
            unflushed = 0;
        }

        public boolean flush() {
            boolean was = unflushed > 0;
            unflushed = 0;
            return was;
        }

        public boolean beginsToExceed() {
            boolean was = exceeds;
            exceeds = unflushed > 2 * BATCH_BYTES;
            return exceeds && !was;
        }

        public long unflushedBytes() {
            return unflushed;
        }
    }
}

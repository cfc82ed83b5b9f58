/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnflushedLogTest {
    private static final long MAX_BYTES = 1 << 20;
    private static final long MAX_MS = 1_000;
    private static final long MAX_NANOS = MAX_MS * 1_000_000;

    private static final FlushSettings BOUNDS =
            new FlushSettings(MAX_BYTES, MAX_MS, 1, FlushSettings.UNLIMITED, 0, true, false);

    private final UnflushedLog log = new UnflushedLog();

    @Test
    void aNewLogHasNothingToFlush() {
        assertThat(log.pending()).isNull();
        assertThat(log.flushed(100)).isFalse();
    }

    @Test
    void bytesAreFlushedOnlyUpToTheFlushedOffset() {
        append(0, 10, 500, 1);
        log.flushBegins(2);
        append(10, 20, 300, 3);
        assertThat(pending().bytes())
                .as("I1: a flush that has begun has flushed nothing yet")
                .isEqualTo(800);
        assertThat(log.flushed(10)).isTrue();
        assertThat(pending().bytes()).isEqualTo(300);
        assertThat(pending().sinceNanos()).isEqualTo(3);
        assertThat(log.flushed(20)).isTrue();
        assertThat(log.pending()).isNull();
    }

    @Test
    void aPartlyFlushedRangeStillCountsWhole() {
        append(0, 10, 500, 1);
        append(10, 20, 500, 2);
        assertThat(log.flushed(15)).isFalse();
        assertThat(pending().bytes()).isEqualTo(1000);
    }

    @Test
    void saysWhenTheWorkerShouldPlan() {
        assertThat(append(0, 1, 10, 0)).as("was flushed").isEqualTo(UnflushedLog.Urgency.IF_IDLE);
        assertThat(append(1, 2, 10, 0)).isEqualTo(UnflushedLog.Urgency.AS_PLANNED);
        assertThat(append(2, 3, MAX_BYTES / 2, 0)).as("half full").isEqualTo(UnflushedLog.Urgency.NOW);
        assertThat(append(3, 4, 10, 0)).isEqualTo(UnflushedLog.Urgency.AS_PLANNED);
    }

    @Test
    void thereIsNoRoomBeyondTheBoundInBytes() {
        append(0, 1, MAX_BYTES - 1, 0);
        assertThat(log.hasRoom(1, BOUNDS)).isTrue();
        assertThat(pending().wanted()).isFalse();
        assertThat(log.hasRoom(2, BOUNDS)).isFalse();
        assertThat(pending().wanted()).as("an append waits").isTrue();
        log.flushBegins(1);
        assertThat(pending().wanted()).isFalse();
        log.flushed(1);
        assertThat(log.hasRoom(3 * MAX_BYTES, BOUNDS)).as("of a flushed log").isTrue();
    }

    /** Nothing can be done about a quiet log that is older than its bound, least of all by its producer. */
    @Test
    void noAppendWaitsForTheBoundInAge() {
        append(0, 1, 10, 0);
        assertThat(log.hasRoom(1, BOUNDS)).isTrue();
    }

    @Test
    void exceedsABoundOnceUntilItKeepsItAgain() {
        append(0, 1, 10, 5);
        assertThat(log.beginsToExceed(BOUNDS, 5 + MAX_NANOS)).isFalse();
        assertThat(log.beginsToExceed(BOUNDS, 6 + MAX_NANOS)).as("in age").isTrue();
        append(1, 2, MAX_BYTES, 6 + MAX_NANOS);
        assertThat(log.beginsToExceed(BOUNDS, 7 + MAX_NANOS)).as("still").isFalse();
        log.flushed(2);
        assertThat(log.beginsToExceed(BOUNDS, 8 + MAX_NANOS)).isFalse();
        append(2, 3, MAX_BYTES + 1, 9 + MAX_NANOS);
        assertThat(log.beginsToExceed(BOUNDS, 9 + MAX_NANOS)).as("in bytes").isTrue();
    }

    /** I2 where flushing by rate is switched on: an append counts itself before what was there is counted. */
    @Test
    void whatWasThereCountsAsTheOldest() {
        append(10, 20, 100, 1);
        log.found(0, 20, 2);
        assertThat(pending().bytes()).as("no append waits for what was there").isEqualTo(100);
        log.flushed(10);
        assertThat(pending().sinceNanos()).isEqualTo(2);
        append(20, 30, 7, 3);
        log.flushed(20);
        assertThat(pending().bytes()).as("never too few").isGreaterThanOrEqualTo(7);
        log.flushed(30);
        assertThat(log.pending()).isNull();
    }

    /** A disk may be so slow that a log is flushed long after its bounds. */
    @Test
    void theListOfRangesStaysShortHoweverLateTheFlush() {
        UnflushedRanges ranges = new UnflushedRanges();
        for (int i = 0; i < 100_000; i++) {
            ranges.append(i, i + 1, MAX_BYTES / 50, BOUNDS, i * MAX_NANOS / 50);
        }
        assertThat(ranges.size()).isLessThanOrEqualTo(128);
        assertThat(ranges.bytes()).isEqualTo(100_000L * (MAX_BYTES / 50));
        assertThat(ranges.sinceNanos()).isZero();
        ranges.flushed(99_999);
        assertThat(ranges.bytes()).as("never too few").isGreaterThanOrEqualTo(MAX_BYTES / 50);
        ranges.flushed(100_000);
        assertThat(ranges.isEmpty()).isTrue();
    }

    @Test
    void truncatedBytesNeedNoFlush() {
        append(0, 10, 100, 1);
        log.flushBegins(1);
        append(10, 20, 200, 2);
        log.truncated(10);
        assertThat(pending().bytes()).isEqualTo(100);
        log.truncated(5);
        assertThat(pending().bytes()).as("cut in the middle: counts whole").isEqualTo(100);
        assertThat(log.flushed(5)).isTrue();
        assertThat(log.pending()).isNull();
    }

    @Test
    void aClearedLogIsFlushed() {
        append(100, 110, 100, 1);
        log.cleared();
        assertThat(log.pending()).isNull();
        append(5, 6, 10, 2);
        log.flushed(6);
        assertThat(log.pending()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE - 5, -1, 0})
    void agesAreRightWhereTheClockWraps(long start) {
        append(0, 1, 10, start);
        assertThat(log.beginsToExceed(BOUNDS, start + MAX_NANOS)).isFalse();
        assertThat(log.beginsToExceed(BOUNDS, start + MAX_NANOS + 1)).isTrue();
    }

    @Test
    void theListOfRangesStaysShort() {
        UnflushedRanges ranges = new UnflushedRanges();
        for (int i = 0; i < 100_000; i++) {
            long nowNanos = i * (MAX_NANOS / 100_000);
            ranges.append(i, i + 1, MAX_BYTES / 100_000, BOUNDS, nowNanos);
        }
        assertThat(ranges.size()).isLessThanOrEqualTo(130);
    }

    private UnflushedLog.Urgency append(long first, long end, long bytes, long nowNanos) {
        return log.appended(first, end, bytes, BOUNDS, nowNanos);
    }

    private UnflushedLog.Pending pending() {
        return requireNonNull(log.pending());
    }
}

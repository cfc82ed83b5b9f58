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

    private final UnflushedLog log = log();

    @Test
    void aNewLogHasNothingToFlush() {
        assertThat(log.pending()).isNull();
        assertThat(log.flushed(100)).isFalse();
    }

    @Test
    void bytesAreFlushedOnlyUpToTheFlushedOffset() {
        log.appended(0, 10, 500, 1);
        log.flushBegins(2);
        log.appended(10, 20, 300, 3);
        assertThat(pending().bytes())
                .as("I3: a flush that has begun has flushed nothing yet")
                .isEqualTo(800);
        assertThat(log.flushed(10)).isTrue();
        assertThat(pending().bytes()).isEqualTo(300);
        assertThat(pending().sinceNanos()).isEqualTo(3);
        assertThat(log.flushed(20)).isTrue();
        assertThat(log.pending()).isNull();
    }

    @Test
    void aPartlyFlushedRangeStillCountsWhole() {
        log.appended(0, 10, 500, 1);
        log.appended(10, 20, 500, 2);
        assertThat(log.flushed(15)).isFalse();
        assertThat(pending().bytes()).isEqualTo(1000);
    }

    @Test
    void saysWhenTheWorkerShouldPlan() {
        assertThat(log.appended(0, 1, 10, 0)).as("was flushed").isEqualTo(UnflushedLog.Urgency.IF_IDLE);
        assertThat(log.appended(1, 2, 10, 0)).isEqualTo(UnflushedLog.Urgency.AS_PLANNED);
        assertThat(log.appended(2, 3, MAX_BYTES / 2, 0)).as("half full").isEqualTo(UnflushedLog.Urgency.NOW);
        assertThat(log.appended(3, 4, 10, 0)).isEqualTo(UnflushedLog.Urgency.AS_PLANNED);
    }

    @Test
    void thereIsNoRoomBeyondTheBoundInBytes() {
        UnflushedLog.Reservation most = requireNonNull(log.reserve(MAX_BYTES - 1, 0));
        assertThat(log.reserve(2, 0)).as("I1: reserved bytes count").isNull();
        UnflushedLog.Reservation rest = requireNonNull(log.reserve(1, 0));
        assertThat(rest.release()).as("an append waits").isTrue();
        most.release();
        assertThat(log.reserve(MAX_BYTES, 0)).isNotNull();
    }

    @Test
    void aBatchLargerThanTheBoundGoesIntoAFlushedLogByItself() {
        UnflushedLog.Reservation large = requireNonNull(log.reserve(MAX_BYTES * 3, 0));
        assertThat(log.reserve(1, 0)).isNull();
        log.appended(0, 9, MAX_BYTES * 3, 0);
        large.release();
        assertThat(log.reserve(1, 0)).isNull();
        log.flushed(9);
        assertThat(log.reserve(1, 0)).isNotNull();
    }

    @Test
    void thereIsNoRoomBehindBytesThatAreTooOld() {
        log.appended(0, 1, 10, 5);
        requireNonNull(log.reserve(1, 5 + MAX_NANOS)).release();
        assertThat(log.reserve(1, 6 + MAX_NANOS)).as("I2").isNull();
        assertThat(pending().wanted()).isTrue();
        log.flushBegins(7 + MAX_NANOS);
        assertThat(pending().wanted()).isFalse();
        log.flushed(1);
        assertThat(log.reserve(1, 8 + MAX_NANOS)).isNotNull();
    }

    /** The device hangs, and an append that was let in before ends after the bound in time. */
    @Test
    void aLateWriteCountsFromWhenItWasLetIn() {
        log.appended(0, 1, 10, 0);
        UnflushedLog.Reservation late = requireNonNull(log.reserve(10, MAX_NANOS));
        log.appended(1, 2, 10, 3 * MAX_NANOS);
        late.release();
        assertThat(pending().untilNanos() - pending().sinceNanos()).as("I2").isEqualTo(MAX_NANOS);
        log.flushed(1);
        assertThat(pending().sinceNanos()).isEqualTo(MAX_NANOS);
        assertThat(log.reserve(1, 3 * MAX_NANOS)).as("I2").isNull();
    }

    @Test
    void thereIsNoRoomBehindAReservationThatIsTooOld() {
        UnflushedLog.Reservation late = requireNonNull(log.reserve(10, 0));
        UnflushedLog.Reservation other = requireNonNull(log.reserve(10, MAX_NANOS));
        assertThat(log.reserve(1, MAX_NANOS + 1)).as("I2").isNull();
        assertThat(late.release()).as("an append waits").isTrue();
        assertThat(log.reserve(1, 2 * MAX_NANOS)).isNotNull();
        other.release();
    }

    /** The same append: its acknowledgement would be late. */
    @Test
    void aLateWriteIsAcknowledgedAfterAFlush() {
        log.appended(0, 1, 10, 0);
        assertThat(log.mayAcknowledge(MAX_NANOS)).isTrue();
        assertThat(pending().wanted()).isFalse();
        assertThat(log.mayAcknowledge(MAX_NANOS + 1)).as("I8").isFalse();
        assertThat(pending().wanted()).isTrue();
        log.flushBegins(MAX_NANOS + 2);
        assertThat(log.mayAcknowledge(MAX_NANOS + 2)).as("I8").isFalse();
        log.flushed(1);
        assertThat(log.mayAcknowledge(MAX_NANOS + 3)).isTrue();
    }

    @Test
    void truncatedBytesNeedNoFlush() {
        log.appended(0, 10, 100, 1);
        log.flushBegins(1);
        log.appended(10, 20, 200, 2);
        log.truncated(10);
        assertThat(pending().bytes()).isEqualTo(100);
        log.truncated(5);
        assertThat(pending().bytes()).as("cut in the middle: counts whole").isEqualTo(100);
        assertThat(log.flushed(5)).isTrue();
        assertThat(log.pending()).isNull();
    }

    @Test
    void aClearedLogIsFlushed() {
        log.appended(100, 110, 100, 1);
        log.cleared();
        assertThat(log.pending()).isNull();
        log.appended(5, 6, 10, 2);
        log.flushed(6);
        assertThat(log.pending()).isNull();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE - 5, -1, 0})
    void agesAreRightWhereTheClockWraps(long start) {
        log.appended(0, 1, 10, start);
        requireNonNull(log.reserve(1, start + MAX_NANOS)).release();
        assertThat(log.reserve(1, start + MAX_NANOS + 1)).isNull();
    }

    @Test
    void theListOfRangesStaysShort() {
        UnflushedRanges ranges = new UnflushedRanges(MAX_BYTES, MAX_NANOS);
        for (int i = 0; i < 100_000; i++) {
            long nowNanos = i * (MAX_NANOS / 100_000);
            ranges.append(i, i + 1, MAX_BYTES / 100_000, nowNanos, nowNanos);
        }
        assertThat(ranges.size()).isLessThanOrEqualTo(130);
    }

    private static UnflushedLog log() {
        return new UnflushedLog(new FlushSettings(MAX_BYTES, MAX_MS, new FlushRates(1, FlushRates.UNLIMITED)));
    }

    private UnflushedLog.Pending pending() {
        return requireNonNull(log.pending());
    }
}

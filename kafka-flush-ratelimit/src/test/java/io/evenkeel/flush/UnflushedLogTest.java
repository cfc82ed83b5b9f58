/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UnflushedLogTest {
    private static final int SEEDS = Integer.getInteger("seeds", 200);
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
    void onlyAnOffsetThatIsFlushedMakesBytesClean() {
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
    void whatIsFlushedInPartStillCountsWhole() {
        log.appended(0, 10, 500, 1);
        log.appended(10, 20, 500, 2);
        assertThat(log.flushed(15)).isFalse();
        assertThat(pending().bytes()).isEqualTo(1000);
    }

    @Test
    void saysWhenTheWorkerShouldLook() {
        assertThat(log.appended(0, 1, 10, 0)).as("was clean").isEqualTo(UnflushedLog.Urgency.IF_IDLE);
        assertThat(log.appended(1, 2, 10, 0)).isEqualTo(UnflushedLog.Urgency.AS_PLANNED);
        assertThat(log.appended(2, 3, MAX_BYTES / 2, 0)).as("half full").isEqualTo(UnflushedLog.Urgency.NOW);
        assertThat(log.appended(3, 4, 10, 0)).isEqualTo(UnflushedLog.Urgency.AS_PLANNED);
    }

    @Test
    void thereIsNoRoomBeyondTheBoundInBytes() {
        UnflushedLog.Reservation most = requireNonNull(log.reserve(MAX_BYTES - 1, 0));
        assertThat(log.reserve(2, 0)).as("I1: reserved bytes count").isNull();
        UnflushedLog.Reservation rest = requireNonNull(log.reserve(1, 0));
        assertThat(rest.release()).as("somebody waits").isTrue();
        most.release();
        assertThat(log.reserve(MAX_BYTES, 0)).isNotNull();
    }

    @Test
    void aBatchLargerThanTheBoundGoesIntoACleanLogByItself() {
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

    /** The device hangs, and an append that was let in before comes out when the bound is over. */
    @Test
    void whatIsWrittenLateCountsFromWhenItWasLetIn() {
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
        assertThat(late.release()).as("somebody waits").isTrue();
        assertThat(log.reserve(1, 2 * MAX_NANOS)).isNotNull();
        other.release();
    }

    /** The same append: whoever waits for it would be told late. */
    @Test
    void whatIsWrittenLateIsAcknowledgedAfterAFlush() {
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
    void aLogThatBeginsAnewIsClean() {
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

    /** Against a list of all appends: never told smaller or younger than it is, and not larger by more than a part. */
    @Test
    void agreesWithAListOfAllAppends() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                run(new Random(seed));
            } catch (AssertionError failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
    }

    private record Append(long first, long end, long bytes, long atNanos) {
        Append cutAt(long offset) {
            return new Append(first, Math.min(end, offset), bytes, atNanos);
        }
    }

    private static void run(Random random) {
        UnflushedLog log = log();
        List<Append> model = new ArrayList<>();
        long now = random.nextLong();
        long end = 0;
        boolean truncates = random.nextBoolean();
        for (int step = 0; step < 500; step++) {
            now += random.nextInt(20_000_000);
            int dice = random.nextInt(20);
            if (dice == 0 && truncates) {
                long offset = random.nextLong(end + 1);
                log.truncated(offset);
                model.removeIf(append -> append.first() >= offset);
                model.replaceAll(append -> append.cutAt(offset));
                end = Math.min(end, offset);
            } else if (dice < 3) {
                log.flushBegins(now);
                long offset = dice == 1 ? end : random.nextLong(end + 1);
                log.flushed(offset);
                model.removeIf(append -> append.end() <= offset);
            } else {
                long next = end + 1 + random.nextInt(100);
                long bytes = random.nextLong(1, 20_000);
                log.appended(end, next, bytes, now);
                model.add(new Append(end, next, bytes, now));
                end = next;
            }
            check(log.pending(), model, truncates);
        }
        log.flushed(end);
        assertThat(log.pending()).isNull();
    }

    /**
     * A range that is cut in two counts whole, so how much too much is told has a bound only where nothing is
     * truncated.
     */
    private static void check(UnflushedLog.@Nullable Pending pending, List<Append> model, boolean truncates) {
        long bytes = model.stream().mapToLong(Append::bytes).sum();
        if (pending == null) {
            assertThat(model).isEmpty();
        } else if (!model.isEmpty()) {
            long most = truncates ? Long.MAX_VALUE : bytes + MAX_BYTES / 64 + 20_000;
            assertThat(pending.bytes()).isBetween(bytes, most);
            long oldest = truncates ? Long.MAX_VALUE : MAX_NANOS / 64;
            assertThat(model.get(0).atNanos() - pending.sinceNanos()).isBetween(0L, oldest);
        }
    }

    /** An append that was let in: when, and where it ended once it is written. */
    private record LetIn(UnflushedLog.Reservation reservation, long atNanos, long bytes, long end) {}

    /** One that was acknowledged: when. */
    private record Acknowledged(long end, long atNanos) {}

    /**
     * I1, I2 and I8, with appends that are held up between the reservation and the write, in whichever order they come out.
     */
    @Test
    void theBoundsHoldWhateverHoldsAppendsUp() {
        for (long seed = 1; seed <= SEEDS; seed++) {
            try {
                runHeldUp(new Random(seed));
            } catch (AssertionError failure) {
                throw new AssertionError("seed " + seed, failure);
            }
        }
    }

    private static void runHeldUp(Random random) {
        UnflushedLog log = log();
        List<LetIn> reserved = new ArrayList<>();
        List<LetIn> unflushed = new ArrayList<>();
        Deque<Long> written = new ArrayDeque<>();
        List<Acknowledged> acknowledged = new ArrayList<>();
        long now = random.nextLong();
        long end = 0;
        for (int step = 0; step < 500; step++) {
            now += random.nextInt(40_000_000);
            int dice = random.nextInt(20);
            if (dice == 0) {
                log.flushBegins(now);
                long flushed = random.nextLong(end + 1);
                log.flushed(flushed);
                unflushed.removeIf(append -> append.end() <= flushed);
                acknowledged.removeIf(append -> append.end() <= flushed);
                written.removeIf(ofAppend -> ofAppend <= flushed);
            } else if (dice < 10) {
                long bytes = random.nextLong(1, MAX_BYTES / 4);
                UnflushedLog.Reservation reservation = log.reserve(bytes, now);
                if (reservation != null) {
                    reserved.add(new LetIn(reservation, now, bytes, 0));
                }
            } else if (!reserved.isEmpty()) {
                LetIn out = reserved.remove(random.nextInt(reserved.size()));
                if (dice > 10) { // or it failed
                    log.appended(end, ++end, out.bytes(), now);
                    unflushed.add(new LetIn(out.reservation(), out.atNanos(), out.bytes(), end));
                    written.add(end);
                }
                out.reservation().release();
            }
            while (!written.isEmpty() && log.mayAcknowledge(now)) {
                acknowledged.add(new Acknowledged(written.removeFirst(), now));
            }
            checkBounds(log, reserved, unflushed);
            checkAcknowledged(acknowledged, unflushed);
        }
    }

    private static void checkBounds(UnflushedLog log, List<LetIn> reserved, List<LetIn> unflushed) {
        List<LetIn> all = new ArrayList<>(reserved);
        all.addAll(unflushed);
        if (all.isEmpty()) {
            return;
        }
        long any = all.get(0).atNanos();
        LongSummaryStatistics times =
                all.stream().mapToLong(append -> append.atNanos() - any).summaryStatistics();
        assertThat(times.getMax() - times.getMin()).as("I2").isLessThanOrEqualTo(MAX_NANOS);
        assertThat(all.stream().mapToLong(LetIn::bytes).sum()).as("I1").isLessThanOrEqualTo(MAX_BYTES);
        UnflushedLog.Pending pending = log.pending();
        if (!unflushed.isEmpty() && pending != null) {
            LongSummaryStatistics written =
                    unflushed.stream().mapToLong(append -> append.atNanos() - any).summaryStatistics();
            assertThat(pending.sinceNanos() - any).as("never younger").isLessThanOrEqualTo(written.getMin());
            assertThat(pending.untilNanos() - any).as("never older").isGreaterThanOrEqualTo(written.getMax());
            assertThat(pending.untilNanos() - pending.sinceNanos()).as("I2").isLessThanOrEqualTo(MAX_NANOS);
        }
    }

    private static void checkAcknowledged(List<Acknowledged> acknowledged, List<LetIn> unflushed) {
        for (Acknowledged append : acknowledged) {
            for (LetIn before : unflushed) {
                assertThat(append.atNanos() - before.atNanos()).as("I8").isLessThanOrEqualTo(MAX_NANOS);
            }
        }
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

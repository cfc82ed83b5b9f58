/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PacerTest {
    private static final long SECOND = 1_000_000_000L;
    private static final int MB = 1_000_000;
    private static final FlushSettings SETTINGS = settings(Long.MAX_VALUE, FlushSettings.UNLIMITED);

    private final Pacer<String> pacer = new Pacer<>();
    private final List<Pacer.Candidate<String>> unflushed = new ArrayList<>();

    /** Due by age after 20 s, by bytes at 500 MB. */
    private static FlushSettings settings(long segmentBytesPerSecond, long deviceBytesPerSecond) {
        return new FlushSettings(1_000L * MB, 40_000, segmentBytesPerSecond, deviceBytesPerSecond, 0, true, false);
    }

    private void log(String name, long bytes, long sinceNanos) {
        unflushed.add(candidate(name, bytes, sinceNanos, false, 0, 0));
    }

    private static Pacer.Candidate<String> candidate(
            String name, long bytes, long sinceNanos, boolean wanted, long lastFlushNanos, long lastFlushBytes) {
        return new Pacer.Candidate<>(
                name,
                new UnflushedLog.Pending(bytes, sinceNanos, sinceNanos, wanted, lastFlushNanos, lastFlushBytes),
                0);
    }

    private Pacer.Turn<String> at(long nowNanos) {
        Pacer.Turn<String> turn = pacer.next(unflushed, SETTINGS, true, nowNanos);
        unflushed.removeIf(candidate -> turn.logs().contains(candidate.log()));
        return turn;
    }

    @Test
    void withNothingUnflushedThereIsNothingToLookAt() {
        assertThat(at(7)).isEqualTo(new Pacer.Turn<>(List.of(), Long.MAX_VALUE, 0, 0, false, Pacer.Limit.DISK));
    }

    /** The example in the class. */
    @Test
    void theRateIsTheLowestThatMeetsEveryDueTime() {
        long now = 10 * SECOND;
        log("a", 30 * MB, 0);
        log("b", 10 * MB, 0);
        log("c", 20 * MB, now);
        assertThat(at(now).bytesPerSecond()).isCloseTo(4 * MB, withPercentage(0.1));
        assertThat(flushedFrom(now)).containsExactly("a after 7.5 s", "b after 10.0 s", "c after 20.0 s");
    }

    @Test
    void oneLogIsFlushedWhenItIsDueAndNotBefore() {
        log("a", MB, 0);
        assertThat(flushedFrom(0)).containsExactly("a after 20.0 s");
    }

    @Test
    void aLogThatIsHalfFullIsDue() {
        log("a", 500L * MB, 0);
        assertThat(at(1).logs()).containsExactly("a");
    }

    /**
     * 10 MB/s into one that was flushed a second ago, 320 MB, at a rate of 2 MB/s: it will be due long before it has
     * rested.
     */
    @Test
    void whatAHotLogNeedsIsNotSpentOnOthers() {
        FlushSettings rates = settings(2 * MB, FlushSettings.UNLIMITED);
        unflushed.add(candidate("hot", 10 * MB, 0, false, 0, 320 * MB));
        unflushed.add(candidate("calm", 100, 0, false, 0, 0));
        for (long now = SECOND; now < 2 * SECOND; now += SECOND / 10) {
            assertThat(pacer.next(unflushed, rates, true, now).logs()).isEmpty();
        }
    }

    @Test
    void aLogThatAnAppendWaitsForIsDue() {
        unflushed.add(candidate("a", 1, 0, true, 0, 0));
        assertThat(at(1).logs()).containsExactly("a");
    }

    @Test
    void aLogThatFillsFastIsDueBeforeItIsOld() {
        log("a", 100L * MB, 0);
        // 100 MB in 2 s: 500 MB are there after 10 s, which is in 8
        assertThat(at(2 * SECOND).bytesPerSecond()).isCloseTo(100.0 * MB / 8, withPercentage(0.1));
    }

    @Test
    void jitterMovesTheDueTimeForward() {
        UnflushedLog.Pending pending = new UnflushedLog.Pending(MB, 0, 0, false, 0, 0);
        unflushed.add(new Pacer.Candidate<>("a", pending, 1));
        assertThat(flushedFrom(0)).containsExactly("a after 15.0 s");
    }

    @Test
    void aLogRestsAfterAFlushUnlessItIsDue() {
        FlushSettings slow = settings(MB, FlushSettings.UNLIMITED);
        // 10 MB were flushed at 0: at 1 MB/s it rests for 10 s
        Pacer.Candidate<String> rests = candidate("a", 300L * MB, SECOND, false, 0, 10L * MB);
        Pacer.Turn<String> turn = pacer.next(List.of(rests), slow, true, 9 * SECOND);
        assertThat(turn.logs()).isEmpty();
        assertThat(turn.escapes()).isZero();
        Pacer.Candidate<String> due = candidate("a", 500L * MB, SECOND, false, 0, 10L * MB);
        Pacer.Turn<String> escape = pacer.next(List.of(due), slow, true, 9 * SECOND);
        assertThat(escape.logs()).containsExactly("a");
        assertThat(escape.escapes()).isEqualTo(1);
        Pacer.Turn<String> rested = pacer.next(List.of(due), slow, true, 10 * SECOND);
        assertThat(rested.escapes()).isZero();
    }

    @Test
    void whoRestsDoesNotHoldUpTheOthers() {
        FlushSettings slow = settings(MB, FlushSettings.UNLIMITED);
        List<Pacer.Candidate<String>> both =
                List.of(candidate("rests", MB, 0, false, 0, 1_000L * MB), candidate("other", MB, SECOND, false, 0, 0));
        assertThat(pacer.next(both, slow, true, 15 * SECOND).logs()).isEmpty();
        assertThat(pacer.next(both, slow, true, 20 * SECOND + SECOND / 2).logs())
                .containsExactly("rests");
        List<Pacer.Candidate<String>> other = both.subList(1, 2);
        assertThat(pacer.next(other, slow, true, 21 * SECOND).logs()).containsExactly("other");
    }

    @Test
    void noFlushIsFasterThanTheCeilingNotEvenOfADueLog() {
        FlushSettings limited = settings(Long.MAX_VALUE, MB);
        List<Pacer.Candidate<String>> due = List.of(candidate("a", 10L * MB, 0, true, 0, 0));
        assertThat(pacer.next(due, limited, true, 0).logs()).isEmpty();
        assertThat(pacer.next(due, limited, true, 9 * SECOND).logs()).isEmpty();
        assertThat(pacer.next(due, limited, true, 10 * SECOND).logs()).containsExactly("a");
    }

    @Test
    void aRateIsNotSavedUpWhileNothingIsUnflushed() {
        FlushSettings limited = settings(Long.MAX_VALUE, MB);
        pacer.next(List.of(), limited, true, 0);
        List<Pacer.Candidate<String>> due = List.of(candidate("a", 10L * MB, 0, true, 0, 0));
        pacer.next(List.of(), limited, true, 100 * SECOND);
        assertThat(pacer.next(due, limited, true, 101 * SECOND).logs()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MAX_VALUE, Long.MAX_VALUE - 3 * SECOND, -1})
    void theClockMayWrap(long start) {
        log("a", MB, start);
        assertThat(flushedFrom(start)).containsExactly("a after 20.0 s");
    }

    @Test
    void aClockThatGoesBackFlushesNothingTooLate() {
        log("a", MB, 10 * SECOND);
        at(10 * SECOND);
        assertThat(at(5 * SECOND).logs()).isEmpty();
        assertThat(flushedFrom(10 * SECOND)).containsExactly("a after 20.0 s");
    }

    @Test
    void manyLogsOfNothingMuchAreTakenTogether() {
        for (int i = 0; i < 1_000; i++) {
            log("log " + i, 100, 0);
        }
        int looks = 0;
        for (long now = 0; !unflushed.isEmpty(); looks++) {
            now += at(now).waitNanos();
        }
        assertThat(looks).isLessThanOrEqualTo(1_100);
    }

    @Test
    void aLogThatAnAppendWaitsForComesFirst() {
        unflushed.add(candidate("old", 10, -30 * SECOND, false, 0, 0));
        unflushed.add(candidate("wanted", 10, 0, true, 0, 0));
        assertThat(at(1).logs()).containsExactly("wanted");
        assertThat(at(2).logs()).containsExactly("old");
    }

    @Test
    void thousandsOfSmallFlushesTakeAQuarterOfTheTime() {
        assertThat(shareOfFlushes(SECOND / 50)).isBetween(0.2, 0.27);
        assertThat(shareOfFlushes(SECOND / 5)).isBetween(0.2, 0.27);
    }

    /** All appends wait as long as such a flush: less than one in a hundred must meet one. */
    @Test
    void slowFlushesAreRare() {
        assertThat(shareOfFlushes(SECOND)).isLessThan(0.02);
        assertThat(shareOfFlushes(4 * SECOND)).isLessThan(0.0101);
    }

    /** The part of an hour that flushes take when each takes so long. */
    private double shareOfFlushes(long flushNanos) {
        Pacer<String> pacer = new Pacer<>();
        List<Pacer.Candidate<String>> unflushed = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            unflushed.add(candidate("log " + i, 5_000, -21 * SECOND, false, 0, 0)); // all are due
        }
        long now = 0;
        long busyNanos = 0;
        while (now < 3600 * SECOND) {
            Pacer.Turn<String> turn = pacer.next(unflushed, SETTINGS, true, now);
            for (int i = 0; i < turn.logs().size(); i++) {
                pacer.flushed(5_000, flushNanos);
                now += flushNanos;
                busyNanos += flushNanos;
            }
            now += turn.logs().isEmpty() ? turn.waitNanos() : 0;
        }
        return busyNanos / (double) now;
    }

    @Test
    void theBudgetDoesNotHoldUpAnUrgentLog() {
        log("small", 5_000, -21 * SECOND);
        at(0);
        pacer.flushed(5_000, SECOND);
        log("small", 5_000, -21 * SECOND);
        log("large", 500L * MB, -21 * SECOND);
        unflushed.add(candidate("wanted", 10, 0, true, 0, 0));
        Pacer.Turn<String> turn = at(1);
        assertThat(turn.logs()).contains("wanted").doesNotContain("small");
        assertThat(turn.limit()).isEqualTo(Pacer.Limit.BUDGET);
        assertThat(at(SECOND / 10).logs()).containsExactly("large");
        assertThat(at(5 * SECOND).logs()).containsExactly("small");
    }

    @Test
    void aDiskThatHungOnceIsUsedAgainSoon() {
        at(0);
        pacer.flushed(5_000, 10 * SECOND);
        log("small", 5_000, -21 * SECOND);
        assertThat(at(SECOND).logs()).isEmpty();
        assertThat(at(40 * SECOND).logs()).containsExactly("small");
    }

    @Test
    void aDiskThatWasSlowForLongIsTriedAgainWithinTenMinutes() {
        at(0);
        for (int i = 0; i < 10; i++) {
            pacer.flushed(5_000, 60 * SECOND);
        }
        log("small", 5_000, -21 * SECOND);
        assertThat(at(590 * SECOND).logs()).isEmpty();
        assertThat(at(601 * SECOND).logs()).containsExactly("small");
    }

    /** A large flush takes long because of its bytes, and they must be written anyway. */
    @Test
    void theBytesOfAFlushDoNotCountAgainstTheBudget() {
        for (int i = 0; i < 10; i++) {
            pacer.flushed(30 * MB, 6 * SECOND / 10);
        }
        log("a", 5_000, -21 * SECOND);
        assertThat(at(0).logs()).containsExactly("a");
    }

    @Test
    void aTurnIsShort() {
        for (int i = 0; i < 100; i++) {
            pacer.flushed(5_000, 1_000_000);
            log("log " + i, 5_000, -21 * SECOND);
        }
        assertThat(at(10 * SECOND).logs()).hasSizeBetween(5, 6);
    }

    /** The flushes and their times; each turn comes when the last one has asked for it. */
    private List<String> flushedFrom(long startNanos) {
        List<String> flushed = new ArrayList<>();
        long now = startNanos;
        while (!unflushed.isEmpty()) {
            Pacer.Turn<String> turn = at(now);
            for (String log : turn.logs()) {
                flushed.add("%s after %.1f s".formatted(log, (now - startNanos) / (double) SECOND));
            }
            assertThat(turn.waitNanos()).isPositive();
            now += turn.waitNanos();
        }
        return flushed;
    }
}

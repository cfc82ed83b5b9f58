/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** {@link UnflushedLog} against a list of all appends, with random operations. {@code -Dseeds} says how many. */
class UnflushedLogModelTest {
    private static final int SEEDS = Integer.getInteger("seeds", 200);
    private static final long MAX_BYTES = 1 << 20;
    private static final long MAX_MS = 1_000;
    private static final long MAX_NANOS = MAX_MS * 1_000_000;

    /** Never smaller or younger than the list of all appends, and larger by no more than a part. */
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

    /** A range that is cut in two counts whole, so the error has a bound only where nothing is truncated. */
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

    /** An append that was let in at this time, and where it ended once it was written. */
    private record LetIn(UnflushedLog.Reservation reservation, long atNanos, long bytes, long end) {}

    /** An append that was acknowledged at this time. */
    private record Acknowledged(long end, long atNanos) {}

    /** I1, I2 and I8, with appends that are held up between the reservation and the write, which end in any order. */
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
            LongSummaryStatistics written = unflushed.stream()
                    .mapToLong(append -> append.atNanos() - any)
                    .summaryStatistics();
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

    private static UnflushedLog log() {
        return new UnflushedLog(new FlushSettings(MAX_BYTES, MAX_MS, new FlushRates(1, FlushRates.UNLIMITED)));
    }
}

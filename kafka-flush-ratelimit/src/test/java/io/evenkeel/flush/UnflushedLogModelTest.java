/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** {@link UnflushedLog} against a list of all appends, with random operations. {@code -Dseeds} says how many runs. */
class UnflushedLogModelTest {
    private static final int SEEDS = Integer.getInteger("seeds", 200);
    private static final long FIRST_SEED = Long.getLong("seed", 1);
    private static final long MAX_BYTES = 1 << 20;
    private static final long MAX_MS = 1_000;
    private static final long MAX_NANOS = MAX_MS * 1_000_000;
    private static final FlushSettings BOUNDS =
            new FlushSettings(MAX_BYTES, MAX_MS, 1, FlushSettings.UNLIMITED, 0, true, false);

    /** I2: never smaller or younger than the list of all appends, and larger by no more than a part. */
    @Test
    void agreesWithAListOfAllAppends() {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
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
        UnflushedLog log = new UnflushedLog();
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
                log.appended(end, next, bytes, BOUNDS, now);
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
}

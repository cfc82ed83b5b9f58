/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import io.evenkeel.testkit.RecordWriter;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * What a writer had had acknowledged at an instant in the past. {@link #look()} is called again and again by one
 * thread; it may be asked by another.
 */
final class Acknowledged {
    private final RecordWriter writer;
    private final Deque<Look> looks = new ArrayDeque<>();

    private record Look(List<Long> ends, long nanos) {}

    Acknowledged(RecordWriter writer) {
        this.writer = writer;
        look();
    }

    void look() {
        List<Long> ends = Arrays.stream(writer.acknowledgedEnds()).boxed().toList();
        synchronized (this) {
            looks.addLast(new Look(ends, System.nanoTime()));
        }
    }

    /** A lower bound of the acknowledged end at that time. */
    synchronized long end(int partition, long nanos) {
        return looks.stream()
                .filter(look -> look.nanos() - nanos <= 0)
                .reduce(looks.getFirst(), (earlier, later) -> later)
                .ends()
                .get(partition);
    }

    /**
     * How long it took to have acknowledged by then what is behind that end, from the first record to the last one, at
     * least; 0 when nothing is.
     */
    synchronized long msBehind(int partition, long end, long nanos) {
        long last = end(partition, nanos);
        OptionalLong first = nanosOf(looks.stream().filter(look -> look.ends().get(partition) > end))
                .min();
        OptionalLong beforeLast = nanosOf(
                        looks.stream().filter(look -> look.ends().get(partition) < last))
                .max();
        return first.isPresent() && beforeLast.isPresent()
                ? TimeUnit.NANOSECONDS.toMillis(Math.max(0, beforeLast.getAsLong() - first.getAsLong()))
                : 0;
    }

    private static LongStream nanosOf(Stream<Look> looks) {
        return looks.mapToLong(Look::nanos);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What clients asked of a topic and what came of it, in the order of time, as Jepsen's checker for Kafka reads it: each
 * line is an EDN map, and the checker's keys are our partitions. Any thread may add to it.
 */
final class History {
    /** What came of an operation. */
    enum Outcome {
        OK,
        /** Nothing that it sent may ever be read. */
        FAIL,
        /** Nobody knows. Its process ends, because the operation may still be under way. */
        INFO
    }

    /** A value and where it is in its partition. */
    record Placed(long offset, long value) {
        @Override
        public String toString() {
            return "[" + offset + " " + value + "]";
        }
    }

    /** A step of an operation: the offset is null until it is known. */
    record Send(int partition, long value, @Nullable Long offset) {
        Send at(long known) {
            return new Send(partition, value, known);
        }

        @Override
        public String toString() {
            return "[:send " + partition + " " + (offset == null ? value : new Placed(offset, value)) + "]";
        }
    }

    /** A step of an operation: what it found, by partition. */
    record Poll(Map<Integer, List<Placed>> found) {
        @Override
        public String toString() {
            return found.entrySet().stream()
                    .map(partition -> partition.getKey() + " " + vector(partition.getValue()))
                    .collect(Collectors.joining(", ", "[:poll {", "}]"));
        }
    }

    /** What a step is before it has found something. */
    static final Object POLL = "[:poll]";

    private final LongSupplier nanoClock;
    private final List<String> lines = new ArrayList<>();
    private final AtomicInteger processes = new AtomicInteger();
    private final AtomicLong values = new AtomicLong();

    History(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** A number for a client that does one thing after the other. */
    int newProcess() {
        return processes.getAndIncrement();
    }

    /** A value that no other record has. */
    long newValue() {
        return values.getAndIncrement();
    }

    /** Before the operation begins. */
    void invoke(int process, String function, List<?> steps) {
        add("invoke", process, function, steps, "");
    }

    /** After the operation has ended. */
    void end(Outcome outcome, int process, String function, List<?> steps, @Nullable Throwable error) {
        String suffix = error == null ? "" : ", :error :" + error.getClass().getSimpleName();
        add(outcome.name().toLowerCase(Locale.ROOT), process, function, steps, suffix);
    }

    private synchronized void add(String type, int process, String function, List<?> steps, String suffix) {
        lines.add("{:index %d, :time %d, :process %d, :type :%s, :f :%s, :value %s%s}"
                .formatted(lines.size(), nanoClock.getAsLong(), process, type, function, vector(steps), suffix));
    }

    private static String vector(List<?> elements) {
        return elements.stream().map(Object::toString).collect(Collectors.joining(" ", "[", "]"));
    }

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.resolveSibling(""));
        Files.write(file, lines());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What all processors of the machine did since its start, by the first line of {@code /proc/stat}. Immutable.
 *
 * @param usedTicks of all programs, and of the kernel
 * @param idleTicks also while a disk was waited for
 * @param stolenTicks a program wanted to run, but the host did not let the machine
 */
public record ProcessorTime(long usedTicks, long idleTicks, long stolenTicks) {
    /** USER_HZ, the same on every Linux that Java runs on. */
    private static final long TICK_NANOS = 10_000_000;

    public static ProcessorTime now() throws IOException {
        return parse(Files.readString(Path.of("/proc/stat")));
    }

    static ProcessorTime parse(String stat) {
        // The word "cpu", then user, nice, system, idle, iowait, irq, softirq and steal.
        String[] words = stat.lines().findFirst().orElseThrow().trim().split("\\s+", -1);
        long[] ticks =
                Arrays.stream(words).skip(1).limit(8).mapToLong(Long::parseLong).toArray();
        return new ProcessorTime(ticks[0] + ticks[1] + ticks[2] + ticks[5] + ticks[6], ticks[3] + ticks[4], ticks[7]);
    }

    public long usedNanos() {
        return usedTicks * TICK_NANOS;
    }

    public long stolenNanos() {
        return stolenTicks * TICK_NANOS;
    }

    /** The share of the time in which the processors were not idle, from 0 to 1. */
    public double busySince(ProcessorTime before) {
        return 1 - (double) (idleTicks - before.idleTicks) / allSince(before);
    }

    /** The share of the time that the host took away, from 0 to 1. */
    public double stolenSince(ProcessorTime before) {
        return (double) (stolenTicks - before.stolenTicks) / allSince(before);
    }

    private long allSince(ProcessorTime before) {
        return Math.max(1, all() - before.all());
    }

    private long all() {
        return usedTicks + idleTicks + stolenTicks;
    }
}

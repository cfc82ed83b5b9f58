/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Machine;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * What does a send cost by {@code transferTo}, and what with a copy through the heap or through a direct buffer?
 *
 * <p>Runs three methods of {@link TieredFileChannelBenchmark}, with a bare channel and with ours, in turn, each in a
 * JVM of its own.
 */
public final class ZeroCopy {
    private static final Set<String> ARGUMENTS = Set.of("--rounds", "--seconds", "--warmup");
    /** 64 KiB in MB, times the nanoseconds in a second: divided by the nanoseconds of a send, it gives MB/s. */
    private static final double MB_NANOS = (64 << 10) / 1e6 * 1e9;

    private static final Map<String, String> WAYS = ways();

    private ZeroCopy() {}

    private static Map<String, String> ways() {
        Map<String, String> ways = new LinkedHashMap<>();
        ways.put("transferToSocket", "transferTo");
        ways.put("readWriteDirect", "read and write, direct buffer");
        ways.put("readWriteHeap", "read and write, heap buffer");
        return ways;
    }

    /** Arguments: see {@code benchmarks/zero-copy --help}. */
    public static void main(String[] args) throws RunnerException {
        Arguments arguments = new Arguments(args, ARGUMENTS);
        System.out.printf("%s; 64 KiB from the page cache to a socket:%n%n", Machine.describe());
        System.out.println("| channel | way | µs a send | MB/s |\n| --- | --- | --- | --- |");
        for (int round = 0; round < arguments.number("--rounds", 3); round++) {
            for (Map.Entry<String, String> way : WAYS.entrySet()) {
                for (String channel : new String[] {"bare", "tieredSsd", "tieredHdd"}) {
                    double nanos = nanos(way.getKey(), channel, arguments);
                    System.out.printf(
                            "| %s | %s | %.1f | %.0f |%n", channel, way.getValue(), nanos / 1e3, MB_NANOS / nanos);
                }
            }
        }
    }

    private static double nanos(String method, String channel, Arguments arguments) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(TieredFileChannelBenchmark.class.getName() + "\\." + method)
                        .param("channel", channel)
                        .forks(1)
                        .warmupIterations(arguments.number("--warmup", 3))
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(arguments.number("--seconds", 5))
                        .measurementTime(TimeValue.seconds(1))
                        .shouldFailOnError(true)
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .run().stream()
                        .map(RunResult::getPrimaryResult)
                        .mapToDouble(result -> result.getScore())
                        .findFirst()
                        .orElseThrow();
    }
}

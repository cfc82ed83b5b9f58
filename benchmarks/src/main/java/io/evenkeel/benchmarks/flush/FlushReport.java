/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Samples;
import io.evenkeel.benchmarks.lab.Usage;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The measured runs as Markdown tables. Stateless. */
final class FlushReport {
    static final String HEADER =
            "| records, bytes | variant | device, MB/s: mean / highest second | peak to mean | by iostat "
                    + "| in quiet seconds | produce, ms: p50 / p99 / p99.9 / max "
                    + "| a partition's most unwritten: KiB / ms from its first byte to the last acknowledgement "
                    + "| segment flushes/s | device's flushes/s | " + Usage.PROCESSORS + " |\n"
                    + "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |";

    static final String CYCLES_HEADER =
            "| cycle | records, bytes | variant | device, MB/s: mean / highest second | peak to mean "
                    + "| produce, ms: p50 / p99 / p99.9 / max |\n| --- | --- | --- | --- | --- | --- |\n";

    private FlushReport() {}

    static String row(FlushRun run, BurstyLoad load) {
        WriteSeries writes = run.writes();
        double seconds = run.window().seconds();
        String row = "| %d | %s | %s | %.2f | %.2f | %s | %d / %d | %.1f | %.1f | %s |"
                .formatted(
                        run.valueBytes(),
                        run.variant().title(),
                        device(writes),
                        run.iostatPeakToMean(),
                        run.quietPeakToMean(load),
                        run.produce().describe(),
                        run.mostUnwrittenBytes() >> 10,
                        run.longestUnwrittenSpanMs(),
                        run.segmentFlushesPerSecond(),
                        run.usage().hdd().flushes() / seconds,
                        run.usage().processors());
        return run.failed() == 0 ? row : row + " %d not acknowledged".formatted(run.failed());
    }

    /** The mean and the highest second, and the second over the first. */
    private static String device(WriteSeries writes) {
        double peakToMean = writes.peakToMean();
        return "%.1f / %.1f | %.2f".formatted(writes.mean(), writes.mean() * peakToMean, peakToMean);
    }

    /** The cycles of a run, a row for each. */
    static String cycles(FlushRun run) {
        return IntStream.range(0, run.cycles().size())
                .mapToObj(i -> cycle(i + 1, run, run.cycles().get(i)))
                .collect(Collectors.joining());
    }

    private static String cycle(int number, FlushRun run, FlushRun.Cycle cycle) {
        WriteSeries writes = cycle.writes();
        return "| cycle %d | %d | %s | %s | %s |%n"
                .formatted(
                        number,
                        run.valueBytes(),
                        run.variant().title(),
                        device(writes),
                        cycle.produce().describe());
    }

    /** The medians of each variant over the rounds, for one size of records. */
    static String medians(List<FlushRun> runs, BurstyLoad load) {
        return "| median over the rounds | peak to mean | by iostat | over the load's own %.2f | in quiet seconds "
                        .formatted(load.peakToMean())
                + "| produce p99, ms | p99.9, ms |\n| --- | --- | --- | --- | --- | --- | --- |\n"
                + FlushVariants.ALL.stream()
                        .map(variant -> runs.stream()
                                .filter(run -> run.variant().equals(variant))
                                .toList())
                        .filter(ofVariant -> !ofVariant.isEmpty())
                        .map(ofVariant -> "| %s | %.2f | %.2f | %.2f | %.2f | %.1f | %.0f |%n"
                                .formatted(
                                        ofVariant.get(0).variant().title(),
                                        median(ofVariant, run -> run.writes().peakToMean()),
                                        median(ofVariant, FlushRun::iostatPeakToMean),
                                        median(ofVariant, run -> run.writes().peakToMean()) / load.peakToMean(),
                                        median(ofVariant, run -> run.quietPeakToMean(load)),
                                        median(ofVariant, run -> run.produce().percentile(99)),
                                        median(ofVariant, run -> run.produce().percentile(99.9))))
                        .collect(Collectors.joining());
    }

    private static double median(List<FlushRun> runs, ToDoubleFunction<FlushRun> value) {
        return Samples.median(runs.stream().mapToDouble(value).boxed().toList());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How evenly is a disk written to, and how long do producers wait, when a broker flushes its logs by count, by rate, or
 * not at all?
 *
 * <p>A bursty load on one broker with one disk, the variants in turn. {@code benchmarks/flush} makes the disk and
 * bounds and runs this class.
 */
public final class Flush {
    static final BurstyLoad LOAD = new BurstyLoad(15, 10, 5, 60);

    private final FlushLab lab;
    private final List<FlushRun> runs = new ArrayList<>();

    private Flush(FlushLab lab) {
        this.lab = lab;
    }

    /** Arguments: see {@code benchmarks/flush --help}. */
    public static void main(String[] args) throws Exception {
        Flush benchmark = new Flush(FlushLab.parse(args));
        benchmark.run();
        benchmark.report();
    }

    private void run() throws Exception {
        for (int round = 0; round < lab.arguments().number("--rounds", 1); round++) {
            for (int valueBytes : valueBytes()) {
                for (Variant variant : variants()) {
                    FlushRun run = FlushRun.of(lab, variant, LOAD, valueBytes, FlushRun.Incident.NONE);
                    runs.add(run);
                    System.err.println("round " + (round + 1) + ": " + FlushReport.row(run, LOAD));
                }
            }
        }
    }

    private List<Integer> valueBytes() {
        List<String> given = lab.arguments().all("--value-bytes");
        return given.isEmpty()
                ? List.of(1000, 10_000)
                : given.stream().map(Integer::valueOf).toList();
    }

    private List<Variant> variants() {
        return lab.variants(FlushVariants.ALL);
    }

    /** Prints the report, and writes it with its charts to the directory that the arguments name. */
    private void report() throws IOException {
        Path dir = Files.createDirectories(lab.arguments().path("--report"));
        StringBuilder report = new StringBuilder();
        report.append("%d s at %d MB/s, %d s at %d MB/s, over and over; %d partitions.%n%n%s%n"
                .formatted(
                        LOAD.quietSeconds(),
                        LOAD.quietMb(),
                        LOAD.burstSeconds(),
                        LOAD.burstMb(),
                        lab.topic(0).partitions(),
                        FlushReport.HEADER));
        runs.forEach(run -> report.append(FlushReport.row(run, LOAD)).append('\n'));
        report.append("\nEach cycle of the load:\n\n").append(FlushReport.CYCLES_HEADER);
        runs.forEach(run -> report.append(FlushReport.cycles(run)));
        for (int valueBytes : valueBytes()) {
            List<FlushRun> ofSize =
                    runs.stream().filter(run -> run.valueBytes() == valueBytes).toList();
            String chart = "writes-" + valueBytes + ".svg";
            Files.writeString(
                    dir.resolve(chart),
                    WriteChart.of(ofSize.subList(0, variants().size()), LOAD));
            report.append("%nRecords of %d bytes:%n%n%s%n![write rate over time](%s)%n"
                    .formatted(valueBytes, FlushReport.medians(ofSize, LOAD), chart));
        }
        Files.writeString(dir.resolve("report.md"), report);
        System.out.print(report);
    }
}

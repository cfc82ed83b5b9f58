/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static io.evenkeel.benchmarks.report.Experiment.bar;
import static io.evenkeel.benchmarks.report.Experiment.fullBar;

import io.evenkeel.benchmarks.report.Experiment.Bar;

/** The experiment with flushes by rate. Stateless. */
final class FlushExperiments {
    private static final String LOAD = "--value-bytes 1000 --memory 1400m ";

    static final Experiment FLUSH = Experiment.named(
                    "flush", "How evenly is a disk written to, and how long do producers wait?")
            .setUp("""
                    A broker with 64 partitions writes to an HDD of 100 MB/s, which it shares with the kernel's own
                    writeback. The load alternates between 15 s at 10 MB/s and 5 s at 60 MB/s. Kafka's default
                    flushes a segment when it rolls. Each cycle of the load, after two minutes of it, is a sample.""")
            .doesNotShow("""
                    A disk that is too slow for the load. Where memory holds 30 s of writes, stock does not stall,
                    and there is nothing to gain at p99.""")
            .runs(
                    "flush",
                    7,
                    "--smoke --variants default count-1000 rate",
                    LOAD + "--variants count-1000 rate --seconds 40",
                    LOAD + "--variants default count-1000 rate --rounds 3")
            .picture("benchmarks/target/flush/writes-1000.svg")
            .chart("Highest second at the device over the mean", "times; less is better", bars("peak to mean", 0))
            .chart("Highest second at the device", "MB/s; less is better", bars("device, MB/s", 1))
            .chart("Produce p99", "ms; less is better", bars("produce, ms", 1))
            .chart("Produce p99.9", "ms; less is better", bars("produce, ms", 2))
            .ratio(
                    "produce p99, every 1,000 messages / by rate",
                    new Reading("^cycle .* 1000 .*every 1,000 messages", "produce, ms", 1),
                    new Reading("^cycle .* 1000 .*by rate", "produce, ms", 1))
            .ratio(
                    "produce p99, Kafka's default / by rate",
                    new Reading("^cycle .* 1000 .*default", "produce, ms", 1),
                    new Reading("^cycle .* 1000 .*by rate", "produce, ms", 1))
            .ratio(
                    "highest second over the mean, every 1,000 messages / by rate",
                    new Reading("^cycle .* 1000 .*every 1,000 messages", "peak to mean", 0),
                    new Reading("^cycle .* 1000 .*by rate", "peak to mean", 0))
            .build();

    private FlushExperiments() {}

    private static Bar[] bars(String column, int part) {
        return new Bar[] {
            fullBar("Kafka's default", "^cycle .* 1000 .*default", column, part),
            bar("every 1,000 messages", "^cycle .* 1000 .*every 1,000 messages", column, part),
            bar("by rate", "^cycle .* 1000 .*by rate", column, part)
        };
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static io.evenkeel.benchmarks.report.Experiment.bar;
import static io.evenkeel.benchmarks.report.Experiment.fullBar;

import io.evenkeel.benchmarks.report.Experiment.Bar;
import java.util.stream.Stream;

/** The experiments with consumers that lag. Stateless. */
final class LaggardExperiments {
    private static final String PRODUCE = "produce p50";
    private static final String END_TO_END = "end to end p50";
    private static final String QUICK_LAGGARDS = "--backlog-mib 1536 --warmup 2 --seconds 10 --rounds 2";
    private static final String COLD = "--backlog-on hdd --laggards-mb 1000 --laggards ";

    static final Experiment CASE_1 = Experiment.named(
                    "case-1", "How fast are producing and reading when all consumers lag?")
            .setUp("""
                    Four consumers read the oldest part of a backlog that the SSD holds, and nobody reads the new
                    records of a steady producer. The HDD gives 100 MB/s and 200 reads a second; each broker has
                    1500 MB of memory, page cache included. The variants take turns, without and with laggards.""")
            .doesNotShow("""
                    A broker with ten real disks, nor one whose laggards reach further back than the SSD.""")
            .runs(
                    "lagging-consumers",
                    3.6,
                    "--smoke --no-real-time",
                    "--no-real-time --backlog-mib 1024 --warmup 2 --seconds 8 --rounds 2",
                    "--no-real-time --variants stock all-ssd patched")
            .chart("Produce p99", "ms; less is better", cases(PRODUCE, 1))
            .chart("What the laggards read", "MB/s; more is better", lagging("laggards, MB/s", 0))
            .chart("Reads from the HDD with laggards", "MB/s", lagging("HDD read", 0))
            .chart("Reads from the SSD with laggards", "MB/s", lagging("SSD read", 0))
            .ratio(
                    "produce p99 with laggards, stock / patched",
                    lagging("stock", PRODUCE, 1),
                    lagging("patched", PRODUCE, 1))
            .build();

    static final Experiment CASE_2 = Experiment.named("case-2", "How much do lagging consumers slow down the others?")
            .setUp("""
                    As in case-1, and one consumer reads the new records as they come. "Tuned" is a stock broker
                    while the kernel writes dirty pages back from 64 MiB on and after 5 s. "All SSD" is a stock
                    broker with all its data on the SSD: the most that a tier can reach.""")
            .doesNotShow("""
                    Laggards that reach further back than the SSD; case-3 has them. An I/O controller of the kernel
                    (blk-iocost) was not measured: it needs cgroup v2, and the lab limits its devices with cgroup
                    v1. It divides a disk among control groups, and all clients of a broker share its own.""")
            .runs("lagging-consumers", 4.2, "--smoke", QUICK_LAGGARDS, "--variants stock tuned all-ssd patched")
            .chart("Produce p99", "ms; less is better", withTuned(PRODUCE, 1))
            .chart("End to end p99, from due to received", "ms; less is better", withTuned(END_TO_END, 1))
            .chart("Records received within 10 ms, with laggards", "%; more is better", classes(0))
            .chart("Within 10 to 100 ms", "%", classes(1))
            .chart("Within 100 ms to 1 s", "%; less is better", classes(2))
            .chart("Within 1 to 10 s", "%; less is better", classes(3))
            .chart("Later than 10 s", "%; less is better", classes(4))
            .chart("Reads from the HDD with laggards", "MB/s", lagging("HDD read", 0))
            .chart("Reads from the SSD with laggards", "MB/s", lagging("SSD read", 0))
            .ratio(
                    "produce p99 with laggards, stock / patched",
                    lagging("stock", PRODUCE, 1),
                    lagging("patched", PRODUCE, 1))
            .ratio(
                    "end to end p99 with laggards, stock / patched",
                    lagging("stock", END_TO_END, 1),
                    lagging("patched", END_TO_END, 1))
            .ratio(
                    "produce p99, patched, with / without laggards",
                    lagging("patched", PRODUCE, 1),
                    alone("patched", PRODUCE, 1))
            .ratio(
                    "produce p99 without laggards, stock / patched",
                    alone("stock", PRODUCE, 1),
                    alone("patched", PRODUCE, 1))
            .build();

    static final Experiment CASE_3 = Experiment.named(
                    "case-3", "And when the laggards reach further back than the SSD?")
            .setUp("""
                    As in case-2, but 16 consumers, in the quick run 4, read a backlog that is on the HDD alone, each a
                    part of its own, as fast as they can. "Without the cold reader" is the tier with
                    tiered.ssd.cold.read.enable=false.""")
            .doesNotShow("""
                    Laggards that read the same data, nor TLS; docs/benchmarks has them. The emulated HDD only counts
                    reads, so many laggards cost stock less than on a real one. The quick run's laggards soon begin
                    anew, and in stock they then read what the page cache has kept of so small a backlog.""")
            .runs(
                    "lagging-consumers",
                    4.6,
                    "--smoke --backlog-on hdd --variants stock patched",
                    COLD + "4 --backlog-mib 1536 --warmup 3 --seconds 10 --rounds 2",
                    COLD + "16 --variants stock without-cold-reader patched")
            .chart("Produce p99", "ms; less is better", cold(PRODUCE, 1))
            .chart("End to end p99, from due to received", "ms; less is better", cold(END_TO_END, 1))
            .chart("What the laggards read", "MB/s; more is better", cold("laggards, MB/s", 0))
            .chart("The newest segments in the page cache", "%; more is better", cold("newest in memory", 0))
            .ratio(
                    "produce p99 with laggards, stock / patched",
                    lagging("stock", PRODUCE, 1),
                    lagging("patched", PRODUCE, 1))
            .ratio(
                    "end to end p99, patched, with / without laggards",
                    lagging("patched", END_TO_END, 1),
                    alone("patched", END_TO_END, 1))
            .ratio(
                    "what the laggards read, patched / stock",
                    lagging("patched", "laggards, MB/s", 0),
                    lagging("stock", "laggards, MB/s", 0))
            .build();

    private LaggardExperiments() {}

    private static Reading lagging(String variant, String column, int part) {
        return new Reading("^" + variant + " with \\d+ laggards", column, part);
    }

    private static Reading alone(String variant, String column, int part) {
        return new Reading("^" + variant + " without laggards", column, part);
    }

    private static Bar[] cases(String column, int part) {
        return new Bar[] {
            bar("stock, without laggards", "^stock without", column, part),
            bar("stock, with laggards", "^stock with ", column, part),
            fullBar("all SSD, with laggards", "^all-ssd with ", column, part),
            bar("patched, without laggards", "^patched without", column, part),
            bar("patched, with laggards", "^patched with ", column, part)
        };
    }

    private static Bar[] withTuned(String column, int part) {
        return Stream.concat(
                        Stream.of(cases(column, part)),
                        Stream.of(fullBar("stock, vm.dirty_* tuned, with laggards", "^tuned with ", column, part)))
                .toArray(Bar[]::new);
    }

    private static Bar[] lagging(String column, int part) {
        return new Bar[] {
            bar("stock", "^stock with ", column, part),
            fullBar("all SSD", "^all-ssd with ", column, part),
            bar("patched", "^patched with ", column, part)
        };
    }

    private static Bar[] classes(int part) {
        return new Bar[] {
            bar("stock", "^stock with ", "end to end within", part),
            fullBar("stock, vm.dirty_* tuned", "^tuned with ", "end to end within", part),
            fullBar("all SSD", "^all-ssd with ", "end to end within", part),
            bar("patched", "^patched with ", "end to end within", part)
        };
    }

    private static Bar[] cold(String column, int part) {
        return new Bar[] {
            bar("stock", "^stock with ", column, part),
            fullBar("patched, without the cold reader", "^without-cold-reader with ", column, part),
            bar("patched", "^patched with ", column, part)
        };
    }
}

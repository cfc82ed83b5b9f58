/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static io.evenkeel.benchmarks.report.Experiment.bar;
import static io.evenkeel.benchmarks.report.Experiment.fullBar;

import io.evenkeel.benchmarks.report.Experiment.Bar;
import java.util.List;
import java.util.stream.Stream;

/** The experiments with the SSD tier and its disks. Stateless. */
final class TierExperiments {
    static final Experiment DEVICES = Experiment.named(
                    "devices", "What do the emulated disks give to one reader and to many?")
            .setUp("""
                    1 to 64 readers read past the page cache: 1 MiB after the other, or 4 KiB at random places. The
                    HDD is a loop device with the kernel's limits of 100 MB/s and 200 reads a second. The SSD is one
                    without limits, as fast as the disk below it.""")
            .doesNotShow("""
                    A real HDD, which loses bandwidth when many readers make it seek. The emulated one only counts
                    reads, so it is kinder to stock than a real one.""")
            .runs(
                    "devices",
                    0.6,
                    "--smoke",
                    "--mib 512 --seconds 1 --rounds 2 --readers 1 4 16 64",
                    "--readers 1 4 16 64")
            .chart("Sequential reads", "MB/s; more is better", readers("sequential", "MB/s"))
            .chart("Random reads of 4 KiB", "reads a second; more is better", readers("random", "reads/s"))
            .ratio(
                    "random reads with 64 readers, SSD / HDD",
                    new Reading("^SSD \\| random \\| 64 ", "reads/s", 0),
                    new Reading("^HDD \\| random \\| 64 ", "reads/s", 0))
            .build();

    static final Experiment BLOCK_CACHE = Experiment.named(
                    "block-cache", "Why not put a block cache in front of the HDD?")
            .setUp("""
                    A model, in which no disk takes part: a producer appends 15 MB/s, one consumer reads the new
                    data, one lags by half of what the SSD holds, and others read 80 MB/s of data that is older than
                    the SSD's. The block cache is an LRU of 64 KiB blocks that writes through, as FlashCache and
                    OpenCAS can. The page cache before it is an LRU, too small for the laggards.""")
            .doesNotShow("""
                    Latencies, nor a real block cache, which may recognise sequential reads and leave them out. The
                    page cache of Linux is not a plain LRU. It runs on a load like that of case-2, not on a recorded
                    one.""")
            .runs("block-cache", 0.1, "--smoke", "", "")
            .chart("Reads of the consumer within the SSD's reach that come from the HDD", "%; less is better", cache(1))
            .chart("Reads of new data that come from the HDD", "%; less is better", cache(0))
            .chart(
                    "Written to the SSD",
                    "MB/s; less is better",
                    bar("LRU block cache (model)", "^LRU", "written", 0),
                    bar("ours (model)", "^newest", "written", 0))
            .build();

    static final Experiment ZERO_COPY = Experiment.named(
                    "zero-copy", "What does zero copy save, and does our channel keep it?")
            .setUp("""
                    64 KiB at a time go from the page cache to a socket on the same machine: by transferTo, and by
                    read and write with a direct and with a heap buffer, through a bare FileChannel and through the
                    tier's channel on the SSD and on the HDD.""")
            .doesNotShow("""
                    A network card. The other end of the socket runs on the second processor and limits all ways
                    alike, so the ratios are lower bounds.""")
            .runs("zero-copy", 1.1, "--smoke", "--rounds 2 --warmup 1 --seconds 2", "--rounds 5")
            .chart("From a bare channel", "MB/s; more is better", ways("bare"))
            .chart("From ours, segment on the SSD", "MB/s; more is better", ways("tieredSsd"))
            .chart("From ours, segment on the HDD", "MB/s; more is better", ways("tieredHdd"))
            .ratio(
                    "transferTo / read and write with a heap buffer, bare channel",
                    new Reading("^bare \\| transferTo", "MB/s", 0),
                    new Reading("^bare .*heap", "MB/s", 0))
            .ratio(
                    "transferTo, our channel on the SSD / bare channel",
                    new Reading("^tieredSsd \\| transferTo", "MB/s", 0),
                    new Reading("^bare \\| transferTo", "MB/s", 0))
            .build();

    static final Experiment RESTART = Experiment.named("restart", "How long does a broker take to start after a crash?")
            .setUp("""
                    A broker is killed while each of its partitions has some MiB that no flush has covered, and
                    starts again with an empty page cache: it reads them all. Stock has them on the HDD, the patched
                    broker on the SSD. The time is from the start of the process to "Kafka Server started".""")
            .doesNotShow("""
                    Thousands of partitions. The JVM and the agent take about three seconds of either figure, which
                    weigh less the more there is to recover.""")
            .runs(
                    "restart",
                    1.9,
                    "--smoke",
                    "--partitions 200 --partition-mib 8 --rounds 2",
                    "--partitions 500 --partition-mib 8 --rounds 3")
            .chart(
                    "From the process's start to \"Kafka Server started\"",
                    "seconds; less is better",
                    bar("stock on the HDD", "^stock", "start after", 0),
                    bar("patched, tails on the SSD", "^patched", "start after", 0))
            .ratio("time, patched / stock", new Reading("^\\d", "patched / stock", 0), null)
            .build();

    static final Experiment ROLLS = Experiment.named("rolls", "How long does an append wait that rolls its log?")
            .setUp("""
                    An fsync of the HDD takes 5 ms longer than the disk below needs. One producer sends records of
                    50 KB, one at a time, and four segments roll each second.""")
            .doesNotShow("""
                    Many partitions that roll at once, nor the day on which the tier is installed; docs/benchmarks
                    has the latter.""")
            .runs("rolls", 1.7, "--smoke", "--rounds 2 --rolls 40", "--rounds 3 --rolls 400")
            .chart(
                    "Appends that roll the log, p99",
                    "ms; less is better",
                    bar("stock", "^stock", "appends that roll", 1),
                    bar("patched", "^patched", "appends that roll", 1))
            .chart(
                    "Other appends, p99",
                    "ms; less is better",
                    bar("stock", "^stock", "other appends", 1),
                    bar("patched", "^patched", "other appends", 1))
            .ratio(
                    "appends that roll, p99, patched / stock",
                    new Reading("^patched", "appends that roll", 1),
                    new Reading("^stock", "appends that roll", 1))
            .build();

    private TierExperiments() {}

    private static Bar[] readers(String pattern, String column) {
        return Stream.of("HDD", "SSD")
                .flatMap(disk -> List.of(1, 4, 16, 64).stream()
                        .map(count -> count == 1 || count == 64
                                ? bar(label(disk, count), row(disk, pattern, count), column, 0)
                                : fullBar(label(disk, count), row(disk, pattern, count), column, 0)))
                .toArray(Bar[]::new);
    }

    private static String label(String disk, int readers) {
        return disk + ", " + (readers == 1 ? "1 reader" : readers + " readers");
    }

    private static String row(String disk, String pattern, int readers) {
        return "^%s \\| %s \\| %d \\|".formatted(disk, pattern, readers);
    }

    private static Bar[] cache(int part) {
        return new Bar[] {
            bar("LRU block cache (model)", "^LRU", "from the HDD", part),
            bar("ours (model)", "^newest", "from the HDD", part)
        };
    }

    private static Bar[] ways(String channel) {
        return new Bar[] {
            bar("transferTo", "^" + channel + " \\| transferTo", "MB/s", 0),
            bar("read and write, direct buffer", "^" + channel + " .*direct", "MB/s", 0),
            bar("read and write, heap buffer", "^" + channel + " .*heap", "MB/s", 0)
        };
    }
}

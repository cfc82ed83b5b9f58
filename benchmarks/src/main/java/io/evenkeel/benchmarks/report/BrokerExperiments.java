/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static io.evenkeel.benchmarks.report.Experiment.bar;

import io.evenkeel.benchmarks.report.Experiment.Bar;

/** The experiments with a broker whose disks are fast enough, or that starts. Stateless. */
final class BrokerExperiments {
    static final Experiment THROUGHPUT = Experiment.named("throughput", "Does the agent cost throughput?")
            .setUp("""
                    A stock and a patched broker run side by side on the same disk. Producing, and consuming from
                    the page cache, take turns on them in short slices. The patched broker's copier copies every
                    segment meanwhile. The lines reach over the middle half of the slices.""")
            .doesNotShow("""
                    What happens when a request waits for a disk. All clients are on the same machine, so the
                    network costs nothing but processor time.""")
            .runs("throughput", 1, "1 16", "10 96", "40 128")
            .chart(
                    "Produce",
                    "MiB/s; more is better",
                    bar("stock", "^produce", "stock", 0),
                    bar("patched", "^produce", "patched", 0))
            .chart(
                    "Consume from the page cache",
                    "MiB/s; more is better",
                    bar("stock", "^consume", "stock", 0),
                    bar("patched", "^consume", "patched", 0))
            .chart(
                    "The broker's CPU time for all of it",
                    "seconds; less is better",
                    bar("stock", "^broker's CPU", "stock", 0),
                    bar("patched", "^broker's CPU", "patched", 0))
            .ratio("produce rate, patched / stock", new Reading("^produce", "patched / stock", 0), null)
            .ratio("consume rate, patched / stock", new Reading("^consume", "patched / stock", 0), null)
            .ratio("CPU time, patched / stock", new Reading("^broker's CPU", "patched / stock", 0), null)
            .build();

    static final Experiment IDLE = Experiment.named("idle", "What does an idle tier cost?")
            .setUp("""
                    A stock and a patched broker with the same segments and no clients idle side by side, and the
                    kernel counts the CPU time of their threads.""")
            .doesNotShow("""
                    A broker under load. The brokers' own work, such as the controller's, is most of the figure.""")
            .runs("idle", 1.1, "--smoke", "--segments 1000 --rounds 2 --seconds 8 --settle 12", "")
            .chart(
                    "CPU time of an idle broker",
                    "ms a second; less is better",
                    bar("stock", "^CPU, ms \\|", "stock", 0),
                    bar("patched", "^CPU, ms \\|", "patched", 0),
                    bar("patched, the tier's own threads", "^CPU, ms \\|", "the tier's threads", 0))
            .ratio(
                    "CPU time, patched / stock",
                    new Reading("^CPU, ms \\|", "patched", 0),
                    new Reading("^CPU, ms \\|", "stock", 0))
            .build();

    static final Experiment START = Experiment.named(
                    "start", "How long does a broker with many segments take to start?")
            .setUp("""
                    A stock and a patched broker start in turn on the same directories after a clean shutdown: half
                    of the segments are on the HDD, half on both devices. The time is from the start of the process
                    to "Kafka Server started".""")
            .doesNotShow("""
                    A slow disk: all directories are in the page cache. The agent takes about half a second whatever
                    the number of segments, so the ratio falls as they grow; the quick run has few.""")
            .runs("start", 1, "--smoke", "--segments 2000 --rounds 3", "--segments 18000 --rounds 5")
            .chart(
                    "From the process's start to \"Kafka Server started\"",
                    "seconds; less is better",
                    bar("stock", "^\\d.* \\d.* \\d", "stock, s", 0),
                    bar("patched", "^\\d.* \\d.* \\d", "patched, s", 0))
            .ratio("time, patched / stock", new Reading("^\\d", "patched / stock", 0), null)
            .build();

    static final Experiment UPGRADE = Experiment.named(
                    "upgrade", "What do clients notice when the jar is installed, and removed?")
            .setUp("""
                    Three stock brokers that hold three replicas of a topic are restarted one by one under load: as
                    they are, which is what any restart costs, then with the jar, and then without it again, while
                    segments are only on the SSDs. A record counts where it was acknowledged or received.""")
            .doesNotShow("""
                    A machine for each broker: here, a broker that starts takes the processors of the other two, so
                    that restarts take longer. Nor the errors of a client that gives up before Kafka's default of two
                    minutes.""")
            .runs("upgrade", 3.8, "--smoke", "--rounds 2 --rest 5", "")
            .chart("Produce p99", "ms; less is better", stages("produce", 1))
            .chart("The longest that a producer waited", "ms; less is better", stages("produce", 3))
            .chart("End to end p99, from due to received", "ms; less is better", stages("end to end", 1))
            .chart("Records received more than 1 s after they were due", "%; less is better", stages("later", 0))
            .chart("Records that were not acknowledged", "records; less is better", stages("not ack", 0))
            .ratio(
                    "produce p99, installation / a mere restart",
                    new Reading("^the jar is installed", "produce", 1),
                    new Reading("^stock brokers", "produce", 1))
            .ratio(
                    "produce p99, removal / a mere restart",
                    new Reading("^the jar is removed", "produce", 1),
                    new Reading("^stock brokers", "produce", 1))
            .build();

    private static Bar[] stages(String column, int part) {
        return new Bar[] {
            bar("stock, restarted", "^stock brokers", column, part),
            bar("stock, at rest", "^stock, at rest", column, part),
            bar("installation", "^the jar is installed", column, part),
            bar("patched, at rest", "^patched", column, part),
            bar("removal", "^the jar is removed", column, part)
        };
    }

    private BrokerExperiments() {}
}

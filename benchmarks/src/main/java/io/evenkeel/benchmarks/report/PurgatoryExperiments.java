/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import static io.evenkeel.benchmarks.report.Experiment.bar;
import static io.evenkeel.benchmarks.report.Experiment.fullBar;

import io.evenkeel.benchmarks.report.Experiment.Bar;
import java.util.stream.Stream;

/** The experiments with delayed requests. Stateless. */
final class PurgatoryExperiments {
    private static final String WATCH_COMPLETE = "^PurgatoryBenchmark.watchComplete, 3 keys \\| 2 \\| ";
    private static final String WATCH_CHECK = "^PurgatoryBenchmark.watchCheck, 3 keys \\| 2 \\| ";
    private static final String ADD_CANCEL = "^TimerBenchmark.addCancel, 10000 pending \\| 2 \\| ";
    private static final String METHODS = "--benchmarks watchComplete|watchCheck|addCancel ";
    private static final String SAME = "--threads 2 --pending 10000 --keys 3 --variants stock ours delayQueue ";
    private static final String AT_A_RATE = ".*requests/s asked for";
    private static final String AT_MOST = ".*as many requests as possible";

    static final Experiment PURGATORY = Experiment.named("purgatory", "What does a delayed request cost, alone?")
            .setUp("""
                    Two threads watch requests under the same three keys and complete them, directly or by a check
                    of one key; or cancel one of 10,000 timer tasks and add another. Stock's classes, ours, and the
                    design of Kafka 0.8 take turns, each in a JVM of its own.""")
            .doesNotShow("""
                    A broker, in which a request costs many times as much elsewhere. With more keys and more pending
                    tasks the ratios differ; docs/benchmarks has them.""")
            .runs(
                    "purgatory",
                    1.9,
                    "--smoke " + METHODS + SAME,
                    METHODS + SAME + "--rounds 2 --warmup 2 --seconds 1",
                    METHODS + SAME + "--rounds 5")
            .chart("A request that is completed", "ns; less is better", designs(WATCH_COMPLETE, "ns an operation"))
            .chart("A request that a check completes", "ns; less is better", designs(WATCH_CHECK, "ns an operation"))
            .chart("A cancelled timer task", "ns; less is better", designs(ADD_CANCEL, "ns an operation"))
            .chart("Memory of a request with three keys", "bytes; less is better", designs(WATCH_COMPLETE, "bytes"))
            .ratio("completed request, ours / stock", new Reading(WATCH_COMPLETE + "ours", "of stock's", 0), null)
            .ratio("checked request, ours / stock", new Reading(WATCH_CHECK + "ours", "of stock's", 0), null)
            .ratio("cancelled task, ours / stock", new Reading(ADD_CANCEL + "ours", "of stock's", 0), null)
            .build();

    static final Experiment SEED_WORKLOAD = Experiment.named(
                    "seed-workload", "What do delayed requests cost under the load of the redesign proposal?")
            .setUp("""
                    Requests arrive as a Poisson process, each with 100 bytes under the same three keys, in a JVM
                    with a heap of 200 MB. Half of them expire after 200 ms, the others complete before. First
                    200,000 a second are asked for, then as many as possible. The same load without a purgatory is
                    subtracted from the CPU time.""")
            .doesNotShow("""
                    A broker. Arrivals and completions run on two processors, and the rate without a limit depends
                    on how these share a cache. The full run adds the case in which few requests expire and the
                    design of Kafka 0.8.""")
            .runs(
                    "seed-workload",
                    1.7,
                    "--smoke --variants stock ours empty --cases high --rates 20000 max",
                    "--variants stock ours empty --cases high --heaps 200m --rates 200000 max"
                            + " --rounds 2 --warmup 4 --seconds 4",
                    "--variants stock ours delayQueue empty --heaps 200m --rates 200000 max")
            .chart(
                    "Rate when 200,000 a second are asked for",
                    "1000 requests/s; more is better",
                    load(AT_A_RATE, "requests/s"))
            .chart("The most requests", "1000 requests/s; more is better", load(AT_MOST, "requests/s"))
            .chart("Net CPU time at the given rate", "µs a request; less is better", load(AT_A_RATE, "net"))
            .chart("Garbage collection at the given rate", "ms a second; less is better", load(AT_A_RATE, "GC, ms/s"))
            .chart("How late requests expire, p99, at the given rate", "ms; less is better", load(AT_A_RATE, "p99"))
            .ratio(
                    "net CPU time at the given rate, ours / stock, half expire",
                    new Reading("^ours .*high timeouts" + AT_A_RATE, "net, of stock's", 0),
                    null)
            .ratio(
                    "the most requests, ours / stock, half expire",
                    new Reading("^ours .*high timeouts" + AT_MOST, "requests/s", 0),
                    new Reading("^stock .*high timeouts" + AT_MOST, "requests/s", 0))
            .build();

    static final Experiment RETENTION = Experiment.named(
                    "retention", "How much memory does a purgatory keep for completed requests?")
            .setUp("""
                    Many requests wait under 100 keys each; then all of them complete. The heap is measured after a
                    full collection. Stock's classes and ours take turns, each in a JVM of its own.""")
            .doesNotShow("""
                    A broker: no broker has that many delayed requests at once. Stock drops the entries with its
                    next purge.""")
            .runs("retention", 0.5, "--smoke", "--requests 100000 --rounds 3 --settle 2", "--rounds 5")
            .chart(
                    "Heap while all wait",
                    "MB; less is better",
                    bar("stock", "^heap while", "stock", 0),
                    bar("ours", "^heap while", "ours", 0))
            .chart(
                    "Entries in watch lists right after all have completed",
                    "entries; less is better",
                    bar("stock", "^watched right after", "stock", 0),
                    bar("ours", "^watched right after", "ours", 0))
            .ratio(
                    "heap while all wait, ours / stock",
                    new Reading("^heap while", "ours", 0),
                    new Reading("^heap while", "stock", 0))
            .build();

    static final Experiment WAITING_FETCHES = Experiment.named(
                    "waiting-fetches", "What do delayed fetches cost a broker?")
            .setUp("""
                    Many consumers, a connection each, wait at the ends of 100 partitions, to which 100 records a
                    second are produced. Then as many records wait with acks=all for a follower of many partitions.
                    A stock and a patched broker run side by side and take turns.""")
            .doesNotShow("""
                    What delayed requests cost alone: network and request handling are most of a response's cost.
                    The follower's figures differ much between rounds.""")
            .runs(
                    "waiting-fetches",
                    2.7,
                    "--smoke",
                    "--consumers 2000 --followed 500 --rounds 2 --warmup 3 --seconds 6",
                    "")
            .chart("CPU time a response to a consumer", "µs; less is better", broker("consumers", "CPU an operation"))
            .chart("Latency of a response, p99", "ms; less is better", broker("consumers", "p99"))
            .chart("CPU time a record with a follower", "µs; less is better", broker("follower", "CPU an operation"))
            .chart("Produce with acks=all, p50", "ms; less is better", broker("follower", "latency p50"))
            .ratio(
                    "CPU time a response, patched / stock",
                    new Reading("^patched / stock.*consumers", "CPU an operation", 0),
                    null)
            .ratio(
                    "CPU time a record with a follower, patched / stock",
                    new Reading("^patched / stock.*follower", "CPU an operation", 0),
                    null)
            .build();

    private PurgatoryExperiments() {}

    private static Bar[] designs(String method, String column) {
        return new Bar[] {
            bar("stock", method + "stock", column, 0),
            bar("ours", method + "ours", column, 0),
            bar("Kafka 0.8's design", method + "delayQueue", column, 0)
        };
    }

    private static Bar[] load(String rate, String column) {
        return Stream.of(
                        bar("stock, half expire", "^stock .*high timeouts" + rate, column, 0),
                        bar("ours, half expire", "^ours .*high timeouts" + rate, column, 0),
                        fullBar("0.8's design, half expire", "^delayQueue .*high timeouts" + rate, column, 0),
                        fullBar("stock, few expire", "^stock .*low timeouts" + rate, column, 0),
                        fullBar("ours, few expire", "^ours .*low timeouts" + rate, column, 0),
                        fullBar("0.8's design, few expire", "^delayQueue .*low timeouts" + rate, column, 0))
                .toArray(Bar[]::new);
    }

    private static Bar[] broker(String load, String column) {
        return new Bar[] {
            bar("stock", "^stock \\|.*" + load, column, 0), bar("patched", "^patched \\|.*" + load, column, 0)
        };
    }
}

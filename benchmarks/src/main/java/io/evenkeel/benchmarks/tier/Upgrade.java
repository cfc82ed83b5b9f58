/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.Machine;
import io.evenkeel.benchmarks.lab.Threads;
import io.evenkeel.benchmarks.lab.Window;
import io.evenkeel.testkit.BrokerConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * What do clients notice when the jar is installed in a cluster, and when it is removed?
 *
 * <p>A producer and a consumer work on a cluster of three brokers, which are restarted one by one: first as they are,
 * which is what any restart costs, then with the jar, then without it again. The cluster rests in between. Latencies
 * count from the instant at which a record was due, and belong to the stage in which it was acknowledged or received.
 */
public final class Upgrade {
    private static final Set<String> ARGUMENTS =
            Set.of("--dir", "--mb", "--partitions", "--value-bytes", "--rounds", "--rest");
    private static final String TOPIC = "upgraded";
    /** Otherwise the first stage, stock's, would pay for the driver's compilers. */
    private static final int WARM_UPS = 3;

    private static final long LATE_MS = 1000;
    private static final long NO_LIMIT_MS = TimeUnit.DAYS.toMillis(1);

    private final Arguments arguments;
    private final RollingCluster cluster;
    private final List<Stage> stages = new ArrayList<>();

    /** What the clients noticed while something was done to the cluster. One thread fills it. */
    private static final class Stage {
        final String name;
        final Latencies produce = new Latencies();
        final Latencies endToEnd = new Latencies();
        int seconds;
        long failed;

        Stage(String name) {
            this.name = name;
        }

        void add(LiveLoad.Second second) {
            produce.add(second.produce());
            endToEnd.add(second.endToEnd());
            seconds++;
        }
    }

    private Upgrade(Arguments arguments) {
        this.arguments = arguments;
        this.cluster = new RollingCluster(arguments.path("--dir"));
    }

    /** Arguments: see {@code benchmarks/upgrade --help}. */
    public static void main(String[] args) throws Exception {
        Upgrade benchmark = new Upgrade(new Arguments(args, ARGUMENTS));
        try (benchmark.cluster) {
            benchmark.run();
        }
    }

    private void run() throws Exception {
        cluster.start();
        System.out.println(Machine.describe());
        Backlog topic =
                new Backlog(TOPIC, arguments.number("--partitions", 6), arguments.number("--value-bytes", 10_000), 0);
        cluster.create(TOPIC, topic.partitions());
        long bytesPerSecond = arguments.number("--mb", 3) * 1_000_000L;
        try (LiveLoad load = new LiveLoad(cluster.client(), topic, Window.open(), nanos -> bytesPerSecond)) {
            for (int i = 0; i < WARM_UPS; i++) {
                rest("warm-up", load);
            }
            stages.clear();
            for (int round = 0; round < arguments.number("--rounds", 3); round++) {
                round(load);
            }
            report(load.end(), load.failed());
        }
    }

    private void round(LiveLoad load) throws Exception {
        restart("stock brokers are restarted", BrokerConfig::stock, load);
        rest("stock, at rest", load);
        restart("the jar is installed", BrokerConfig::patched, load);
        rest("patched, at rest", load);
        System.out.println("Segments before the removal: " + cluster.states(TOPIC));
        restart("the jar is removed", BrokerConfig::stock, load);
        System.out.println("Segments of the stock brokers: " + cluster.states(TOPIC));
    }

    private void rest(String name, LiveLoad load) throws Exception {
        during(name, load, () -> {
            TimeUnit.SECONDS.sleep(arguments.number("--rest", 20));
            return null;
        });
    }

    private void restart(String name, UnaryOperator<BrokerConfig> change, LiveLoad load) throws Exception {
        during(name, load, () -> {
            cluster.restartEach(change, TOPIC);
            return null;
        });
    }

    /** Prints and keeps the figures of each second until the work is done. */
    private void during(String name, LiveLoad load, Callable<?> work) throws Exception {
        Stage stage = new Stage(name);
        stages.add(stage);
        System.err.println(name);
        long failedBefore = load.failed();
        FutureTask<?> working = new FutureTask<>(work);
        Threads.start(name, working);
        while (!working.isDone()) {
            LiveLoad.Second second = load.next();
            System.err.println(second.describe());
            stage.add(second);
        }
        working.get();
        stage.failed = load.failed() - failedBefore;
    }

    private void report(long missing, long failed) {
        System.out.printf("%nMilliseconds: p50 / p99 / p99.9 / max%n%n");
        System.out.println("| while | s | produce | end to end | later than 1 s, % | not acknowledged |");
        System.out.println("| --- ".repeat(6) + "|");
        for (Stage stage : stages) {
            System.out.printf(
                    "| %s | %d | %s | %s | %.2f | %d |%n",
                    stage.name,
                    stage.seconds,
                    stage.produce.describe(),
                    stage.endToEnd.describe(),
                    stage.endToEnd.percentBetween(LATE_MS, NO_LIMIT_MS),
                    stage.failed);
        }
        System.out.printf("%nRecords that no client got an acknowledgement for: %d%n", failed);
        // A record that was written and not acknowledged would hide one that is missing.
        System.out.printf(
                "Acknowledged records that the consumer did not receive: %s%d%n",
                failed > 0 ? "at least " : "", missing);
        if (missing > 0) {
            throw new IllegalStateException(missing + " acknowledged records are missing");
        }
    }
}

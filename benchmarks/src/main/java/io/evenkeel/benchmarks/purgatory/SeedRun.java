/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import com.sun.management.OperatingSystemMXBean;
import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.purgatory.design.Completer;
import io.evenkeel.benchmarks.purgatory.design.PurgatoryDesign;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Runs {@link SeedLoad} once in this JVM, and prints its measurements. */
final class SeedRun {
    private static final Set<String> ARGUMENTS =
            Set.of("--design", "--case", "--rate", "--completer", "--warmup", "--seconds");
    private static final long DRAIN_NANOS = TimeUnit.SECONDS.toNanos(30);

    private SeedRun() {}

    /** The work of this JVM and of the load up to an instant. */
    private record Instant(long nanos, long cpuNanos, long gcMillis, long gcs, long requests, long stalledNanos) {
        static Instant of(SeedLoad load) {
            long millis = 0;
            long count = 0;
            for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
                millis += collector.getCollectionTime();
                count += collector.getCollectionCount();
            }
            long cpu = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                    .getProcessCpuTime();
            return new Instant(System.nanoTime(), cpu, millis, count, load.requests(), load.stalledNanos());
        }
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args, ARGUMENTS);
        PurgatoryDesign purgatory = PurgatoryDesign.named(arguments.text("--design"));
        Completer completer = Completer.named(arguments.text("--completer"));
        SeedCase seedCase = SeedCase.named(arguments.text("--case"));
        try (SeedLoad load = new SeedLoad(purgatory, completer, seedCase, arguments.number("--rate", 0))) {
            System.out.println(measure(load, arguments.number("--warmup", 20), arguments.number("--seconds", 20)));
        }
        // A design may have left a thread running.
        System.exit(0);
    }

    private static Measured measure(SeedLoad load, int warmupSeconds, int seconds) throws InterruptedException {
        load.runUntil(System.nanoTime() + TimeUnit.SECONDS.toNanos(warmupSeconds));
        load.lateness().latencies().resume();
        Instant from = Instant.of(load);
        load.runUntil(from.nanos() + TimeUnit.SECONDS.toNanos(seconds));
        Instant to = Instant.of(load);
        load.lateness().latencies().pause();
        load.drain(DRAIN_NANOS);
        return measured(from, to, load);
    }

    private static Measured measured(Instant from, Instant to, SeedLoad load) {
        double seconds = (to.nanos() - from.nanos()) / 1e9;
        long requests = to.requests() - from.requests();
        Latencies late = load.lateness().latencies();
        Map<String, Double> numbers = new TreeMap<>();
        numbers.put("rate", requests / seconds);
        numbers.put("cpuMicros", (to.cpuNanos() - from.cpuNanos()) / 1e3 / requests);
        numbers.put("gcMs", (to.gcMillis() - from.gcMillis()) / seconds);
        numbers.put("gcs", (to.gcs() - from.gcs()) / seconds);
        numbers.put("stalledMs", (to.stalledNanos() - from.stalledNanos()) / 1e6 / seconds);
        numbers.put("lateP50", late.percentile(50));
        numbers.put("lateP99", late.percentile(99));
        numbers.put("lateMax", late.percentile(100));
        numbers.put("early", load.lateness().early());
        numbers.put("lost", (double) load.unfinished());
        return new Measured(numbers);
    }
}

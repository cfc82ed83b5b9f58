/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.purgatory.design.PurgatoryDesign;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;

/** Completes many requests in this JVM, and prints how many entries and how much heap are left of them. */
final class RetentionRun {
    private static final Set<String> ARGUMENTS = Set.of("--design", "--requests", "--keys", "--settle");
    private static final long TIMEOUT_MS = TimeUnit.HOURS.toMillis(1);
    private static final double MB = 1e6;

    private RetentionRun() {}

    public static void main(String[] args) throws InterruptedException {
        Arguments arguments = new Arguments(args, ARGUMENTS);
        List<TopicPartitionOperationKey> keys = IntStream.range(0, arguments.number("--keys", 100))
                .mapToObj(partition -> new TopicPartitionOperationKey("topic", partition))
                .toList();
        try (PurgatoryDesign purgatory = PurgatoryDesign.named(arguments.text("--design"))) {
            Map<String, Double> numbers = new TreeMap<>();
            List<PurgatoryDesign.Waiting> requests = new ArrayList<>(arguments.number("--requests", 200_000));
            double before = heapMb();
            for (int i = 0; i < arguments.number("--requests", 200_000); i++) {
                requests.add(purgatory.watch(keys, TIMEOUT_MS, PurgatoryDesign.NOTHING));
            }
            numbers.put("waitingWatched", (double) purgatory.watched());
            numbers.put("waitingMb", heapMb() - before);
            long cpuBefore = ownCpuNanos();
            requests.forEach(PurgatoryDesign.Waiting::complete);
            numbers.put("completeMs", (ownCpuNanos() - cpuBefore) / 1e6);
            numbers.put("watched", (double) purgatory.watched());
            requests.clear();
            numbers.put("heapMb", heapMb() - before);
            TimeUnit.SECONDS.sleep(arguments.number("--settle", 10));
            numbers.put("settledWatched", (double) purgatory.watched());
            numbers.put("settledMb", heapMb() - before);
            System.out.println(new Measured(numbers));
        }
        // A design may have left a thread running.
        System.exit(0);
    }

    /** The CPU time of this thread alone. */
    private static long ownCpuNanos() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    /** The size of all reachable objects. */
    private static double heapMb() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / MB;
    }
}

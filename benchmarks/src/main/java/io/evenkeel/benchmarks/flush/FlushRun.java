/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Sampler;
import io.evenkeel.benchmarks.lab.Sampler.Sample;
import io.evenkeel.benchmarks.lab.Usage;
import io.evenkeel.benchmarks.lab.Usage.Device;
import io.evenkeel.benchmarks.lab.Window;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Gauges;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What one variant did under the load. Immutable.
 *
 * @param failed records that were not acknowledged
 * @param states in the window, several a second
 */
record FlushRun(
        FlushVariant variant,
        int valueBytes,
        Window window,
        Latencies produce,
        long failed,
        WriteSeries writes,
        List<Sample<BrokerState>> states,
        Usage usage) {
    private static final int STATES_PER_SECOND = 4;

    /** What happens to the disk in the middle of a run. */
    interface Incident {
        Incident NONE = window -> {};

        void happen(Window window) throws IOException, InterruptedException;
    }

    /** Runs the load on a new broker: a warm-up, then the window that is measured. */
    static FlushRun of(FlushLab lab, FlushVariant variant, BurstyLoad load, int valueBytes, Incident incident)
            throws Exception {
        Backlog topic = lab.topic(valueBytes);
        try (ForkedBroker broker = lab.start(variant)) {
            lab.create(topic, broker);
            try (PacedProducer producer = new PacedProducer(broker.clientProperties(), topic);
                    Unwritten unwritten = new Unwritten(partitionDirs(lab, topic), producer::acknowledgedNanos);
                    Gauges gauges = new Gauges(broker)) {
                int cycle = load.cycleSeconds();
                Window window = Window.of(
                        lab.arguments().number("--warmup", 6 * cycle),
                        lab.arguments().number("--seconds", 4 * cycle));
                Thread producing = new Thread(() -> producer.run(window, load), "producer");
                producing.setDaemon(true);
                producing.start();
                try (Sampler<Device> writes =
                                new Sampler<>("device", WriteSeries.PER_SECOND, () -> Device.of(lab.device(0)));
                        Sampler<BrokerState> states = new Sampler<>(
                                "broker",
                                STATES_PER_SECOND,
                                () -> new BrokerState(unwritten.look(), gauges.flush(), gauges.segmentFlushes()))) {
                    Disks disks = new Disks(lab.disks().get(0), lab.device(0), lab.dir(), "");
                    List<ProcessHandle> clients = List.of(ProcessHandle.current());
                    sleepUntil(window.fromNanos());
                    Usage before = Usage.now(disks, broker.pid(), clients);
                    incident.happen(window);
                    sleepUntil(window.toNanos());
                    Usage usage = Usage.now(disks, broker.pid(), clients).since(before);
                    List<Sample<BrokerState>> seen = states.stop().stream()
                            .filter(sample -> window.counts(sample.atNanos()))
                            .toList();
                    WriteSeries series = WriteSeries.of(writes.stop(), window);
                    producing.join();
                    return new FlushRun(
                            variant, valueBytes, window, producer.latencies(), producer.failed(), series, seen, usage);
                }
            }
        } finally {
            lab.remove();
        }
    }

    private static List<Path> partitionDirs(FlushLab lab, Backlog topic) throws IOException {
        List<Path> dirs = new ArrayList<>();
        for (int partition = 0; partition < topic.partitions(); partition++) {
            dirs.add(lab.partitionDir(topic.name(), partition));
        }
        return dirs;
    }

    static void sleepUntil(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(nanos - System.nanoTime());
    }

    /** Over the window, of any partition. */
    long mostUnwrittenBytes() {
        return states.stream()
                .mapToLong(state -> state.value().unwritten().bytes())
                .max()
                .orElse(0);
    }

    long longestUnwrittenSpanMs() {
        return states.stream()
                .mapToLong(state -> state.value().unwritten().spanMs())
                .max()
                .orElse(0);
    }

    /** The most that a gauge of the pacer has shown. */
    long most(String gauge) {
        return states.stream()
                .mapToLong(state -> state.value().gauges().getOrDefault(gauge, 0L))
                .max()
                .orElse(0);
    }

    /** What a gauge of the pacer has shown last. */
    long last(String gauge) {
        return states.get(states.size() - 1).value().gauges().getOrDefault(gauge, 0L);
    }

    double segmentForcesPerSecond() {
        Sample<BrokerState> first = states.get(0);
        Sample<BrokerState> last = states.get(states.size() - 1);
        return (last.value().segmentForces() - first.value().segmentForces())
                * 1e9
                / (last.atNanos() - first.atNanos());
    }

    /** Of the device's seconds, as it is in those in which the load is quiet. */
    double quietPeakToMean(BurstyLoad load) {
        long warmupNanos = window.fromNanos() - window.startNanos();
        long tenthNanos = TimeUnit.SECONDS.toNanos(1) / WriteSeries.PER_SECOND;
        return writes.peakToMean(tenth -> load.isQuiet(warmupNanos + tenth * tenthNanos));
    }
}

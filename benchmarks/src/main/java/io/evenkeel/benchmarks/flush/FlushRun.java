/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.Iostat;
import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.PacedProducer;
import io.evenkeel.benchmarks.lab.Sampler;
import io.evenkeel.benchmarks.lab.Sampler.Sample;
import io.evenkeel.benchmarks.lab.Usage;
import io.evenkeel.benchmarks.lab.Usage.Device;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.benchmarks.lab.Window;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Gauges;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one variant under the load. Immutable.
 *
 * @param failed records that were not acknowledged
 * @param states several a second, in the window
 * @param cycles the same for each cycle of the load in the window
 * @param iostat megabytes written to the device in each second of the window, as iostat saw it; empty: nobody asked
 */
record FlushRun(
        Variant variant,
        int valueBytes,
        Window window,
        Latencies produce,
        long failed,
        WriteSeries writes,
        List<Sample<BrokerState>> states,
        Usage usage,
        List<Cycle> cycles,
        List<Double> iostat) {
    private static final int STATES_PER_SECOND = 4;

    /** What producers and the device saw in one cycle of the load. Immutable. */
    record Cycle(Latencies produce, WriteSeries writes) {}

    /** An event at the disk in the middle of a run. */
    interface Incident {
        Incident NONE = window -> {};

        void happen(Window window) throws IOException, InterruptedException;
    }

    /** Runs the load on a new broker: a warm-up, then the window that is measured. */
    static FlushRun of(FlushLab lab, Variant variant, BurstyLoad load, int valueBytes, Incident incident)
            throws Exception {
        Backlog topic = lab.topic(valueBytes);
        try (ForkedBroker broker = lab.start(variant)) {
            lab.create(topic, broker);
            try (PacedProducer producer = new PacedProducer(broker.clientProperties(), topic);
                    Unwritten unwritten = new Unwritten(partitionDirs(lab, topic), producer::acknowledgedNanos);
                    Gauges gauges = new Gauges(broker)) {
                Window window = window(lab, load);
                List<Window> parts = window.parts(load.cycleSeconds());
                List<Latencies> latencies =
                        parts.stream().map(producer::measure).toList();
                producer.start(window, load);
                try (Sampler<Device> writes =
                                new Sampler<>("device", WriteSeries.PER_SECOND, () -> Device.of(lab.device(0)));
                        Sampler<BrokerState> states =
                                new Sampler<>("broker", STATES_PER_SECOND, () -> BrokerState.of(unwritten, gauges));
                        Iostat iostat = iostat(lab, window)) {
                    Usage usage = usage(lab, broker, window, incident);
                    List<Sample<BrokerState>> inWindow = states.stop().stream()
                            .filter(sample -> window.counts(sample.atNanos()))
                            .toList();
                    List<Sample<Device>> written = writes.stop();
                    producer.awaitEnd();
                    return new FlushRun(
                            variant,
                            valueBytes,
                            window,
                            producer.latencies(),
                            producer.failed(),
                            WriteSeries.of(written, window),
                            inWindow,
                            usage,
                            cycles(parts, latencies, written),
                            iostat == null ? List.of() : iostat.mbPerSecond());
                }
            }
        } finally {
            lab.remove();
        }
    }

    private static Window window(FlushLab lab, BurstyLoad load) {
        int cycle = load.cycleSeconds();
        return Window.of(
                lab.arguments().number("--warmup", 6 * cycle), lab.arguments().number("--seconds", 4 * cycle));
    }

    private static List<Cycle> cycles(List<Window> parts, List<Latencies> latencies, List<Sample<Device>> written) {
        return IntStream.range(0, parts.size())
                .mapToObj(i -> new Cycle(latencies.get(i), WriteSeries.of(written, parts.get(i))))
                .toList();
    }

    /** From the begin of the window to its end; null when the device is unknown. */
    private static @Nullable Iostat iostat(FlushLab lab, Window window) throws IOException, InterruptedException {
        window.awaitFrom();
        return lab.device(0).isEmpty() ? null : Iostat.start(lab.device(0), (int) window.seconds());
    }

    /** Lets the window pass and the incident happen; returns the work of devices and processors in the window. */
    private static Usage usage(FlushLab lab, ForkedBroker broker, Window window, Incident incident)
            throws IOException, InterruptedException {
        Disks disks = new Disks(lab.disks().get(0), lab.device(0), lab.dir(), "");
        List<ProcessHandle> clients = List.of(ProcessHandle.current());
        window.awaitFrom();
        Usage before = Usage.now(disks, broker.pid(), clients);
        incident.happen(window);
        window.awaitTo();
        return Usage.now(disks, broker.pid(), clients).since(before);
    }

    private static List<Path> partitionDirs(FlushLab lab, Backlog topic) throws IOException {
        List<Path> dirs = new ArrayList<>();
        for (int partition = 0; partition < topic.partitions(); partition++) {
            dirs.add(lab.partitionDir(topic.name(), partition));
        }
        return dirs;
    }

    /** The most unwritten bytes of any partition, over the window. */
    long mostUnwrittenBytes() {
        return most(state -> state.unwritten().bytes());
    }

    /** The longest unwritten span of any partition, over the window. */
    long longestUnwrittenSpanMs() {
        return most(state -> state.unwritten().spanMs());
    }

    /** The highest value of a gauge of the flush pacer in the window. */
    long most(String gauge) {
        return most(state -> state.gauge(gauge));
    }

    private long most(ToLongFunction<BrokerState> value) {
        return states.stream()
                .mapToLong(state -> value.applyAsLong(state.value()))
                .max()
                .orElse(0);
    }

    /** The last value of a gauge of the flush pacer in the window. */
    long last(String gauge) {
        return states.get(states.size() - 1).value().gauge(gauge);
    }

    double segmentFlushesPerSecond() {
        Sample<BrokerState> first = states.get(0);
        Sample<BrokerState> last = states.get(states.size() - 1);
        return (last.value().segmentFlushes() - first.value().segmentFlushes())
                * 1e9
                / (last.atNanos() - first.atNanos());
    }

    /** The highest second over the mean as iostat saw it; 0 when nobody asked it. */
    double iostatPeakToMean() {
        double mean = WriteSeries.mean(iostat);
        return mean == 0 ? 0 : Collections.max(iostat) / mean;
    }

    /** The highest second over the mean, of the seconds in which the load is quiet. */
    double quietPeakToMean(BurstyLoad load) {
        long warmupNanos = window.fromNanos() - window.startNanos();
        long tenthNanos = TimeUnit.SECONDS.toNanos(1) / WriteSeries.PER_SECOND;
        return writes.peakToMean(tenth -> load.isQuiet(warmupNanos + tenth * tenthNanos));
    }
}

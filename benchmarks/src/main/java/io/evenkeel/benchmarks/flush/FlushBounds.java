/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import static io.evenkeel.flush.FlushSettings.MAX_UNFLUSHED_BYTES;
import static io.evenkeel.flush.FlushSettings.MAX_UNFLUSHED_MS;

import io.evenkeel.benchmarks.lab.Sampler.Sample;
import io.evenkeel.benchmarks.lab.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * Do the bounds on unflushed data hold at every instant while the disk keeps up, and does the broker say so when they
 * do not, because the disk hangs?
 *
 * <p>Several times a second the benchmark reads the broker's gauges and the kernel's count of unwritten bytes, and
 * compares both with the bounds. The bounds are narrower than the defaults, so that a disk that hangs for 10 s exceeds
 * them. {@code benchmarks/flush --bounds} makes the disk and runs this class. It exits with 1 when a bound did not hold
 * although the disk kept up, when the broker did not count that it did not hold, or when a record was not acknowledged.
 */
public final class FlushBounds {
    private static final Map<String, String> BOUNDS =
            Map.of(MAX_UNFLUSHED_BYTES.name(), String.valueOf(16 << 20), MAX_UNFLUSHED_MS.name(), "10000");

    /** The error of {@link Unwritten}: the time between two scans, some of them late. */
    private static final long SCAN_MS = 1000;

    /** A flush that took as long as the hang has used up the time for flushes, so those after it are late as well. */
    private static final long RECOVERY_NANOS = TimeUnit.SECONDS.toNanos(40);

    private final FlushLab lab;
    private boolean holds = true;
    private long hangFromNanos = Long.MAX_VALUE;
    private long hangToNanos = Long.MIN_VALUE;

    private FlushBounds(FlushLab lab) {
        this.lab = lab;
    }

    /** Arguments: see {@code benchmarks/flush --help}. */
    public static void main(String[] args) throws Exception {
        FlushBounds bounds = new FlushBounds(FlushLab.parse(args).orElse(BOUNDS));
        bounds.run();
        System.exit(bounds.holds ? 0 : 1);
    }

    private void run() throws Exception {
        int valueBytes = lab.arguments().number("--value-bytes", 1000);
        FlushRun run = FlushRun.of(lab, FlushVariants.RATE, Flush.LOAD, valueBytes, this::hang);
        Path dir = Files.createDirectories(lab.arguments().path("--report"));
        Files.writeString(dir.resolve("bounds.csv"), csv(run));
        Files.writeString(dir.resolve("bounds.svg"), WriteChart.of(List.of(run), Flush.LOAD));
        System.out.println(FlushReport.HEADER + "\n" + FlushReport.row(run, Flush.LOAD) + "\n");
        long bytes = bound(MAX_UNFLUSHED_BYTES.name());
        long ms = bound(MAX_UNFLUSHED_MS.name());
        checkTheGauges(run, bytes, ms);
        checkTheKernel(run, bytes, ms);
        atMost("records not acknowledged", run.failed(), 0);
        atMost("appends that still wait at the end", run.last(FlushGauges.WAITING_APPENDS), 0);
        System.out.printf("appends that waited: %,d%n", run.most(FlushGauges.APPEND_WAITS));
    }

    private void checkTheGauges(FlushRun run, long bytes, long ms) {
        List<BrokerState> keepingUp = keepingUp(run);
        atMost(
                "unflushed bytes of a partition, by the broker's gauge",
                most(keepingUp, state -> state.gauge(FlushGauges.MAX_PENDING_BYTES)),
                bytes);
        atMost(
                "ms since the first of them, by the broker's gauge",
                most(keepingUp, state -> state.gauge(FlushGauges.OLDEST_PENDING_MS)),
                ms);
        long atFirst = run.states().get(0).value().gauge(FlushGauges.BOUNDS_EXCEEDED);
        List<BrokerState> before = states(run, nanos -> nanos < hangFromNanos);
        atMost(
                "partitions that came to exceed a bound before the disk hung",
                most(before, state -> state.gauge(FlushGauges.BOUNDS_EXCEEDED)) - atFirst,
                0);
        if (!lab.devices().isEmpty()) {
            long counted = run.last(FlushGauges.BOUNDS_EXCEEDED) - atFirst;
            check("partitions that came to exceed one at all", counted, "at least", 1, counted > 0);
        }
    }

    private void checkTheKernel(FlushRun run, long bytes, long ms) {
        List<BrokerState> keepingUp = keepingUp(run);
        atMost(
                "unwritten bytes of a partition, by the kernel's count",
                most(keepingUp, state -> state.unwritten().bytes()),
                bytes + Unwritten.FOLIO_BYTES);
        atMost(
                "ms from the first of them to the last acknowledgement",
                most(keepingUp, state -> state.unwritten().spanMs()),
                ms + SCAN_MS);
    }

    /** Before the hang, and when the broker has had the time to make good for the flush that hung. */
    private List<BrokerState> keepingUp(FlushRun run) {
        long calmNanos = hangToNanos + RECOVERY_NANOS;
        return states(run, nanos -> nanos < hangFromNanos || nanos > calmNanos);
    }

    private static List<BrokerState> states(FlushRun run, LongPredicate atNanos) {
        return run.states().stream()
                .filter(state -> atNanos.test(state.atNanos()))
                .map(Sample::value)
                .toList();
    }

    private static long most(List<BrokerState> states, ToLongFunction<BrokerState> value) {
        return states.stream().mapToLong(value).max().orElse(0);
    }

    private int hangsSeconds() {
        return lab.arguments().number("--freeze", 10);
    }

    /** Lets the disk hang in the middle of the window. */
    private void hang(Window window) throws IOException, InterruptedException {
        if (lab.devices().isEmpty()) {
            return;
        }
        window.awaitMiddle();
        Throttle below = Throttle.below(lab.device(0));
        hangFromNanos = System.nanoTime();
        below.freeze();
        try {
            TimeUnit.SECONDS.sleep(hangsSeconds());
        } finally {
            below.thaw();
            hangToNanos = System.nanoTime();
        }
    }

    private long bound(String key) {
        return Long.parseLong(lab.patchedProperties().get(key));
    }

    private void atMost(String name, long found, long bound) {
        check(name, found, "at most", bound, found <= bound);
    }

    private void check(String name, long found, String relation, long bound, boolean good) {
        holds &= good;
        System.out.printf("%s %,d %s, %s %,d%n", good ? "ok    " : "FAILED", found, name, relation, bound);
    }

    /** A line for each sample, in seconds since the window began. */
    private static String csv(FlushRun run) {
        List<String> gauges =
                run.states().get(0).value().gauges().keySet().stream().sorted().toList();
        return "seconds,unwritten bytes,unwritten span ms," + String.join(",", gauges) + "\n"
                + run.states().stream()
                        .map(state -> line(state, run.window(), gauges))
                        .collect(Collectors.joining());
    }

    private static String line(Sample<BrokerState> state, Window window, List<String> gauges) {
        BrokerState value = state.value();
        return "%.2f,%d,%d,%s%n"
                .formatted(
                        (state.atNanos() - window.fromNanos()) / 1e9,
                        value.unwritten().bytes(),
                        value.unwritten().spanMs(),
                        gauges.stream()
                                .map(gauge -> String.valueOf(value.gauges().get(gauge)))
                                .collect(Collectors.joining(",")));
    }
}

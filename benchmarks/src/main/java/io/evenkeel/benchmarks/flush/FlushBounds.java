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
import java.util.stream.Collectors;

/**
 * Do the bounds hold at every instant, also when the disk hangs for a while?
 *
 * <p>What the broker and the kernel say several times a second is written down and held against the bounds, which are
 * narrower than the default: else nobody would have to wait for a disk that hangs for 10 s. {@code benchmarks/flush
 * --bounds} makes the disk and calls this; it ends with 1 when a bound did not hold, or when back-pressure was not seen
 * or did not end.
 */
public final class FlushBounds {
    private static final Map<String, String> BOUNDS =
            Map.of(MAX_UNFLUSHED_BYTES.name(), String.valueOf(16 << 20), MAX_UNFLUSHED_MS.name(), "10000");

    /** What {@link Unwritten} counts too much: the time between looks, some of them late. */
    private static final long LOOK_MS = 1000;

    private final FlushLab lab;
    private boolean holds = true;

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
        FlushRun run = FlushRun.of(lab, FlushVariant.RATE, Flush.LOAD, valueBytes, this::hang);
        Path dir = Files.createDirectories(lab.arguments().path("--report"));
        Files.writeString(dir.resolve("bounds.csv"), csv(run));
        Files.writeString(dir.resolve("bounds.svg"), WriteChart.of(List.of(run), Flush.LOAD));
        System.out.println(FlushReport.HEADER + "\n" + FlushReport.row(run, Flush.LOAD) + "\n");
        long bytes = bound(MAX_UNFLUSHED_BYTES.name());
        long ms = bound(MAX_UNFLUSHED_MS.name());
        atMost("bytes of a partition not forced, says the broker", run.most("HighestPendingBytes"), bytes);
        atMost("ms from the first to the last of them, says the broker", run.most("HighestPendingSpanMs"), ms);
        atMost(
                "bytes of a partition not written, says the kernel",
                run.mostUnwrittenBytes(),
                bytes + Unwritten.FOLIO_BYTES);
        atMost("ms from the first of them to the last acknowledgement", run.longestUnwrittenSpanMs(), ms + LOOK_MS);
        atMost("records not acknowledged", run.failed(), 0);
        if (!lab.devices().isEmpty()) {
            check(
                    "appends that waited while the disk hung",
                    run.most("AppendWaits"),
                    "at least",
                    1,
                    run.most("AppendWaits") > 0);
        }
        atMost("appends that wait in the end", run.last("WaitingAppends"), 0);
    }

    private int hangsSeconds() {
        return lab.arguments().number("--freeze", 10);
    }

    /** In the middle of the window. */
    private void hang(Window window) throws IOException, InterruptedException {
        if (lab.devices().isEmpty()) {
            return;
        }
        FlushRun.sleepUntil(window.fromNanos() + (window.toNanos() - window.fromNanos()) / 2);
        Throttle below = Throttle.below(lab.device(0));
        below.freeze();
        try {
            TimeUnit.SECONDS.sleep(hangsSeconds());
        } finally {
            below.thaw();
        }
    }

    private long bound(String key) {
        return Long.parseLong(lab.patchedProperties().get(key));
    }

    private void atMost(String what, long found, long bound) {
        check(what, found, "at most", bound, found <= bound);
    }

    private void check(String what, long found, String relation, long bound, boolean good) {
        holds &= good;
        System.out.printf("%s %,d %s, %s %,d%n", good ? "ok    " : "FAILED", found, what, relation, bound);
    }

    /** A line for each look, in seconds since the window began. */
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

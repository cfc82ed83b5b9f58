/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.quickstart;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * The screen: in a terminal a table that is redrawn in place, elsewhere one line a second. Thread safe. At most 80
 * columns wide; a wider line would wrap, and the redraw would start too low.
 */
final class LiveView {
    private static final int BAR = 24;
    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String PLAIN = "\u001b[0m";
    private static final String CLEAR_LINE = "\u001b[K";
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";

    /**
     * One reading of the gauges.
     *
     * @param tiered false for a stock broker, which has no gauges
     * @param elapsedSeconds since the reading before
     * @param laggard its position, as text
     */
    record Reading(
            int second,
            int ofSeconds,
            boolean tiered,
            double elapsedSeconds,
            TierGauges before,
            TierGauges now,
            long producedBytes,
            String laggard,
            Histogram latenciesMs) {

        private long copyRate() {
            return (long) ((now.copiedBytes() - before.copiedBytes()) / elapsedSeconds);
        }

        private long evictRate() {
            return (long) ((now.evictedBytes() - before.evictedBytes()) / elapsedSeconds);
        }

        private long ssdReadRate() {
            return (long) ((now.ssdReadBytes() - before.ssdReadBytes()) / elapsedSeconds);
        }

        private long hddReadRate() {
            return (long) ((now.hddReadBytes() - before.hddReadBytes()) / elapsedSeconds);
        }

        private long produceRate() {
            return (long) (producedBytes / elapsedSeconds);
        }
    }

    private final PrintStream out;
    private final boolean terminal;
    private int drawnLines;
    private boolean closed;

    LiveView(PrintStream out, boolean terminal) {
        this.out = out;
        this.terminal = terminal;
    }

    synchronized void show(Reading reading) {
        if (closed) {
            return;
        }
        if (!terminal) {
            out.println(line(reading));
            return;
        }
        StringBuilder frame = new StringBuilder(HIDE_CURSOR);
        if (drawnLines > 0) {
            frame.append("\u001b[").append(drawnLines).append("A\r");
        }
        List<String> lines = table(reading);
        lines.forEach(line -> frame.append(line).append(CLEAR_LINE).append('\n'));
        out.print(frame);
        out.flush();
        drawnLines = lines.size();
    }

    /** Stops drawing and restores the terminal. */
    synchronized void close() {
        if (terminal && !closed) {
            out.print(SHOW_CURSOR);
            out.flush();
        }
        closed = true;
    }

    private static String line(Reading reading) {
        String common = format(
                "%3d s  in %s/s  p50 %d ms p99 %d ms  laggard %s",
                reading.second(),
                mb(reading.produceRate()),
                reading.latenciesMs().getValueAtPercentile(50),
                reading.latenciesMs().getValueAtPercentile(99),
                reading.laggard());
        if (!reading.tiered()) {
            return common;
        }
        TierGauges now = reading.now();
        return common
                + format(
                        "  only-cache %d %s  cached %d %s  without-cache %d %s"
                                + "  copy %s/s evict %s/s  read ssd %s/s hdd %s/s",
                        now.segmentsOnlyCache(),
                        mb(now.bytesOnlyCache()),
                        now.segmentsCached(),
                        mb(now.bytesCached()),
                        now.segmentsWithoutCache(),
                        mb(now.bytesWithoutCache()),
                        mb(reading.copyRate()),
                        mb(reading.evictRate()),
                        mb(reading.ssdReadRate()),
                        mb(reading.hddReadRate()));
    }

    private static List<String> table(Reading reading) {
        String head = format(
                "%squickstart%s  second %d of %d   producing %s/s",
                BOLD, PLAIN, reading.second(), reading.ofSeconds(), mb(reading.produceRate()));
        String consumers = format(
                "  real-time consumer p50 %d ms, p99 %d ms   laggard %s",
                reading.latenciesMs().getValueAtPercentile(50),
                reading.latenciesMs().getValueAtPercentile(99),
                reading.laggard());
        if (!reading.tiered()) {
            return List.of(head, consumers);
        }
        TierGauges now = reading.now();
        long allBytes = Math.max(1, now.bytesOnlyCache() + now.bytesCached() + now.bytesWithoutCache());
        return List.of(
                head,
                "",
                state("ONLY_CACHE", "SSD only", now.segmentsOnlyCache(), now.bytesOnlyCache(), allBytes),
                state("CACHED", "SSD and HDD", now.segmentsCached(), now.bytesCached(), allBytes),
                state("WITHOUT_CACHE", "HDD only", now.segmentsWithoutCache(), now.bytesWithoutCache(), allBytes),
                "",
                format(
                        "  copy %s/s   evict %s/s   SSD holds %s",
                        mb(reading.copyRate()), mb(reading.evictRate()), mb(now.ssdUsedBytes())),
                format("  read from SSD %s/s   from HDD %s/s", mb(reading.ssdReadRate()), mb(reading.hddReadRate())),
                consumers);
    }

    private static String state(String name, String where, long segments, long bytes, long allBytes) {
        // Rounded up, so that a state that holds anything shows.
        int filled = (int) ((BAR * bytes + allBytes - 1) / allBytes);
        return format(
                "  %-13s %s%-11s%s %s%s%s%s %5d segments %9s",
                name, DIM, where, PLAIN, "█".repeat(filled), DIM, "░".repeat(BAR - filled), PLAIN, segments, mb(bytes));
    }

    static String mb(long bytes) {
        return format("%.1f MB", bytes / 1e6);
    }

    private static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The device's write rate over time as SVG: a panel for each run, one below the other, all with the same axes.
 * Stateless.
 *
 * <p>Grey is the rate of each tenth of a second, blue that of the second before it. The dashed line is the load.
 */
final class WriteChart {
    private static final int WIDTH = 900;
    private static final int PANEL = 150;
    private static final int PLOT = 100;
    private static final int LEFT = 50;
    private static final int TOP = 30;
    private static final int STEP_MB = 50;
    private static final int STEP_SECONDS = 10;

    private WriteChart() {}

    static String of(List<FlushRun> runs, BurstyLoad load) {
        double highest = runs.stream()
                .flatMap(run -> run.writes().overSeconds().stream())
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        int topMb = STEP_MB * (int) Math.ceil(Math.max(highest, load.burstMb()) / STEP_MB);
        String panels = IntStream.range(0, runs.size())
                .mapToObj(i -> panel(runs.get(i), load, i * PANEL, topMb))
                .collect(Collectors.joining());
        return """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %1$d %2$d" width="%1$d" height="%2$d" \
                font-family="sans-serif" font-size="11">
                <rect width="100%%" height="100%%" fill="white"/>
                %3$s</svg>
                """.formatted(WIDTH, runs.size() * PANEL, panels);
    }

    private static String panel(FlushRun run, BurstyLoad load, int y, int topMb) {
        List<Double> tenths = run.writes().mb();
        List<Double> seconds = run.writes().overSeconds();
        long warmupNanos = run.window().fromNanos() - run.window().startNanos();
        long tenthNanos = TimeUnit.SECONDS.toNanos(1) / WriteSeries.PER_SECOND;
        return """
                <g transform="translate(%d,%d)">
                <text x="0" y="-8" font-weight="bold">%s</text>
                %s%s%s%s</g>
                """.formatted(
                        LEFT,
                        y + TOP,
                        run.variant().title() + ": MB/s at the device",
                        axes(tenths.size(), topMb),
                        line("#bbb", 1, "", tenths.size(), 0, tenths::get, topMb),
                        line(
                                "#c60",
                                1,
                                "stroke-dasharray='4 3' ",
                                tenths.size(),
                                0,
                                tenth -> load.bytesPerSecond(warmupNanos + tenth * tenthNanos) / 1e6,
                                topMb),
                        line("#036", 2, "", seconds.size(), WriteSeries.PER_SECOND - 1, seconds::get, topMb));
    }

    private static String axes(int tenths, int topMb) {
        StringBuilder axes = new StringBuilder();
        for (int mb = 0; mb <= topMb; mb += STEP_MB) {
            double y = y(mb, topMb);
            axes.append(text("<line x1='0' x2='%d' y1='%.1f' y2='%.1f' stroke='#ddd'/>", WIDTH - LEFT - 20, y, y));
            axes.append(text("<text x='-6' y='%.1f' text-anchor='end'>%d</text>%n", y + 4, mb));
        }
        for (int second = 0; second * WriteSeries.PER_SECOND <= tenths; second += STEP_SECONDS) {
            double x = x(second * WriteSeries.PER_SECOND, tenths);
            axes.append(text("<text x='%.1f' y='%d' text-anchor='middle'>%d s</text>%n", x, PLOT + 14, second));
        }
        return axes.toString();
    }

    /** @param count the number of values; the first one is at tenth {@code first} */
    private static String line(
            String color, int width, String style, int count, int first, IntToDoubleFunction mb, int topMb) {
        String points = IntStream.range(0, count)
                .mapToObj(i -> text("%.1f,%.1f", x(i + first, count + first), y(mb.applyAsDouble(i), topMb)))
                .collect(Collectors.joining(" "));
        return text(
                "<polyline fill='none' stroke='%s' stroke-width='%d' %spoints='%s'/>%n", color, width, style, points);
    }

    private static double x(int tenth, int tenths) {
        return (double) tenth / tenths * (WIDTH - LEFT - 20);
    }

    private static double y(double mb, int topMb) {
        return PLOT - Math.min(mb / topMb, 1) * PLOT;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import io.evenkeel.benchmarks.report.Result.Measured;
import io.evenkeel.benchmarks.report.Result.Value;
import java.util.List;
import java.util.Locale;

/**
 * Figures as SVG: a bar each, and a line from the least to the most. Its width suits a phone. Stateless.
 *
 * <p>The axis is logarithmic where the bars would be too different otherwise, and says so.
 */
final class BarChart {
    static final int WIDTH = 420;

    private static final int ROW = 38;
    private static final int TOP = 44;
    private static final int BAR = 14;
    private static final int PLOT = WIDTH - 130;
    private static final double LOGARITHMIC_FROM = 25;
    /** Where a logarithmic bar begins, as a part of the least figure. */
    private static final double BELOW_LEAST = 0.5;

    private final Measured figures;
    private final boolean logarithmic;
    private final double least;
    private final double most;

    private BarChart(Measured figures) {
        this.figures = figures;
        List<Spread> spreads = figures.values().stream().map(Value::spread).toList();
        this.most = spreads.stream().mapToDouble(Spread::most).max().orElse(1);
        this.least = spreads.stream()
                .mapToDouble(Spread::least)
                .filter(value -> value > 0)
                .min()
                .orElse(1);
        this.logarithmic = most / least > LOGARITHMIC_FROM;
    }

    static String of(Measured figures) {
        return new BarChart(figures).draw();
    }

    private String draw() {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; i < figures.values().size(); i++) {
            rows.append(row(figures.values().get(i), TOP + i * ROW));
        }
        int height = TOP + figures.values().size() * ROW;
        return text(
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-label="%s" \
                font-family="sans-serif" font-size="13">
                <rect width="100%%" height="100%%" fill="#fff"/>
                <text x="0" y="16" font-weight="bold" fill="#222">%s</text>
                <text x="0" y="32" font-size="11" fill="#666">%s</text>
                %s</svg>
                """,
                WIDTH,
                height,
                Html.escape(figures.title()),
                Html.escape(figures.title()),
                Html.escape(figures.unit() + (logarithmic ? ", logarithmic scale" : "")),
                rows);
    }

    private String row(Value value, int y) {
        Spread spread = value.spread();
        int middle = y + 18 + BAR / 2;
        String range = spread.least() == spread.most()
                ? ""
                : text(
                        "<path d='M%1$.1f %3$dH%2$.1fM%1$.1f %4$dv8M%2$.1f %4$dv8' stroke='#222' fill='none'/>",
                        x(spread.least()), x(spread.most()), middle, middle - 4);
        return text(
                """
                <text x="0" y="%d" fill="#222">%s</text>
                <rect x="0" y="%d" width="%.1f" height="%d" fill="%s"/>%s
                <text x="%.1f" y="%d" fill="#222">%s</text>
                """,
                y + 13,
                Html.escape(value.label()),
                y + 18,
                x(spread.median()),
                BAR,
                color(value.label()),
                range,
                x(spread.most()) + 8,
                middle + 5,
                Html.number(spread.median()));
    }

    /** Ours stands out. */
    private static String color(String label) {
        return label.matches(".*\\b(patched|ours|by rate)\\b.*") ? "#0a6b4f" : "#9aa7b5";
    }

    private double x(double value) {
        if (value <= 0) {
            return 0;
        }
        double from = least * BELOW_LEAST;
        double part = logarithmic ? Math.log(value / from) / Math.log(most / from) : value / most;
        return Math.max(0, part) * PLOT;
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}

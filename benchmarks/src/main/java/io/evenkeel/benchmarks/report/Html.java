/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.util.Locale;

/** Texts and numbers as the page shows them. Stateless. */
final class Html {
    private static final double WHOLE_FROM = 100;
    private static final double TENTHS_FROM = 10;

    private Html() {}

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** With three digits, or all of those before the point. */
    static String number(double value) {
        String format = Math.abs(value) >= WHOLE_FROM ? "%,.0f" : Math.abs(value) >= TENTHS_FROM ? "%.1f" : "%.2f";
        return String.format(Locale.ROOT, format, value);
    }

    /** The median, and in brackets the least and the most where they differ. */
    static String spread(Spread spread) {
        return spread.least() == spread.most()
                ? number(spread.median())
                : "%s (%s to %s)".formatted(number(spread.median()), number(spread.least()), number(spread.most()));
    }
}

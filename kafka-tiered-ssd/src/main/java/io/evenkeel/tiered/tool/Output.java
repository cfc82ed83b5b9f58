/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Prints a command's report: as text, or as JSON with {@code --json}. Not thread safe. */
final class Output {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    private static final int UNIT = 1024;

    private final ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    private final PrintStream out;
    private final PrintStream err;
    private final boolean json;

    Output(PrintStream out, PrintStream err, boolean json) {
        this.out = out;
        this.err = err;
        this.json = json;
    }

    /** Prints the progress of a long command; on stderr, so that stdout has only the report. */
    void progress(String text) {
        err.println(text);
    }

    /** Prints a line, unless the output is JSON. */
    void line(String text) {
        if (!json) {
            out.println(text);
        }
    }

    /** Prints a table and an empty line below it, unless the output is JSON. */
    void table(Table table) {
        line(table.toString());
    }

    /** Prints a record with its components as fields, if the output is JSON. */
    void report(Record report) {
        if (json) {
            try {
                out.println(mapper.writeValueAsString(report));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("cannot be written as JSON: " + report, e);
            }
        }
    }

    /** A number and a noun whose plural ends in s. */
    static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** In UTC, to the second. */
    static String time(long epochMs) {
        return Instant.ofEpochMilli(epochMs).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** About three digits, and a unit. */
    static String size(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= UNIT && unit < UNITS.length - 1) {
            value /= UNIT;
            unit++;
        }
        String format = unit == 0 ? "%.0f %s" : value < 100 ? "%.1f %s" : "%.0f %s";
        return String.format(Locale.ROOT, format, value, UNITS[unit]);
    }
}

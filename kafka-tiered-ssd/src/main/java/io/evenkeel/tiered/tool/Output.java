/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Where a command's report goes: text for people, or JSON for programs. Not thread safe. */
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

    /** How far a long command is; on stderr, so that it is not in the way of the report. */
    void progress(String text) {
        err.println(text);
    }

    /** A line for people; programs do not see it. */
    void line(String text) {
        if (!json) {
            out.println(text);
        }
    }

    /** A table for people, and an empty line below it; programs do not see it. */
    void table(Table table) {
        line(table.toString());
    }

    /** The report for programs, its components as fields; people do not see it. */
    void report(Record report) {
        if (json) {
            try {
                out.println(mapper.writeValueAsString(report));
            } catch (JsonProcessingException e) {
                throw new IllegalStateException("cannot be written as JSON: " + report, e);
            }
        }
    }

    /** A number and what it counts, whose plural ends in s. */
    static String count(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** In UTC, to the second. */
    static String time(long epochMs) {
        return Instant.ofEpochMilli(epochMs).truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /** Three digits or so, and a unit. */
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

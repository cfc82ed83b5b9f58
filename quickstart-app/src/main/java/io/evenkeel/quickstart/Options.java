/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.quickstart;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options on the command line. Immutable.
 *
 * @param rateBytesPerSecond of record values produced
 */
record Options(boolean stock, boolean keep, boolean help, int seconds, long rateBytesPerSecond, int port, Path dir) {
    static final String USAGE = """
            usage: ./quickstart [options]

            Starts a real Apache Kafka broker with the agent, its newest segments on an SSD directory and the others on
            an HDD directory. Produces and consumes records, shows the tier at work, and verifies every record at the
            end.

              --stock        run the same without the agent
              --keep         leave the broker running at the end, and print how to connect to it
              --seconds N    how long to produce (60)
              --rate MB      megabytes to produce each second (12)
              --port N       the broker's port; the controller takes the next one (19092)
              --dir DIR      parent of the broker's directories (target/quickstart); a previous run there is removed
              --help         print this text

            Exit code: 0 if every record of every partition came back unchanged and in order, and, with the agent,
            segments were in all three states while records flowed; 1 if not; 2 if the quickstart could not start.
            """;

    /** With less, the tier would evict nothing. */
    private static final long LEAST_BYTES = 200_000_000;

    Options {
        if (seconds * rateBytesPerSecond < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "--seconds %d and --rate %d make less than %d MB: too little to fill the SSD"
                            .formatted(seconds, rateBytesPerSecond / 1_000_000, LEAST_BYTES / 1_000_000));
        }
    }

    /** @throws IllegalArgumentException with a message of one line */
    static Options parse(List<String> arguments) {
        boolean stock = false;
        boolean keep = false;
        boolean help = false;
        int seconds = 60;
        int rateMb = 12;
        int port = 19092;
        Path dir = Path.of("target", "quickstart");
        Deque<String> left = new ArrayDeque<>(arguments);
        String option;
        while ((option = left.poll()) != null) {
            switch (option) {
                case "--stock" -> stock = true;
                case "--keep" -> keep = true;
                case "--help", "-h" -> help = true;
                case "--seconds" -> seconds = number(option, left.poll(), 20, 3600);
                case "--rate" -> rateMb = number(option, left.poll(), 1, 1000);
                case "--port" -> port = number(option, left.poll(), 1024, 65534);
                case "--dir" -> dir = Path.of(argument(option, left.poll()));
                default -> throw new IllegalArgumentException("unknown option " + option + "; see ./quickstart --help");
            }
        }
        return new Options(
                stock,
                keep,
                help,
                seconds,
                rateMb * 1_000_000L,
                port,
                dir.toAbsolutePath().normalize());
    }

    private static String argument(String option, @Nullable String value) {
        if (value == null) {
            throw new IllegalArgumentException(option + " needs a value; see ./quickstart --help");
        }
        return value;
    }

    private static int number(String option, @Nullable String value, int least, int most) {
        String text = argument(option, value);
        try {
            int number = Integer.parseInt(text);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException(
                "%s takes a number from %d to %d, not %s".formatted(option, least, most, text));
    }

    /**
     * Whether the laggard starts now: after a third of the time, and on a patched broker when a segment has been
     * evicted, so that it has to read from the HDD; in the last second at the latest.
     */
    boolean laggardIsDue(int second, boolean isEvicted) {
        return second == seconds || (second >= seconds / 3 && (stock || isEvicted));
    }

    long totalBytes() {
        return seconds * rateBytesPerSecond;
    }

    /** A quarter of the bytes that are produced, so that the tier evicts most segments during the run. */
    long ssdCapacityBytes() {
        return totalBytes() / 4;
    }

    /** The most bytes that the directories can grow to. A record takes a little more than its value. */
    long diskBytes() {
        return totalBytes() * 5 / 4 + (stock ? 0 : ssdCapacityBytes());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.testkit.Broker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** What a broker has logged about its own speed since its start. Immutable. */
record KafkaLog(Path file) {
    private static final Pattern LOADED = Pattern.compile("Loaded \\d+ logs in (\\d+)ms");
    private static final Pattern CLEANED = Pattern.compile("([\\d,.]+) MB of log processed in ([\\d,.]+) seconds");
    private static final Duration DEADLINE = Duration.ofMinutes(20);

    static KafkaLog of(Broker broker) {
        return new KafkaLog(broker.logFile());
    }

    /** How long the broker took to load and recover its logs. */
    double loadSeconds() throws IOException {
        return number(matches(LOADED).get(0).group(1)) / TimeUnit.SECONDS.toMillis(1);
    }

    /** Waits until so many logs have been cleaned; returns how many MiB a second that were. */
    double awaitCleaned(int logs) throws IOException, InterruptedException {
        long endNanos = System.nanoTime() + DEADLINE.toNanos();
        List<MatchResult> cleaned = matches(CLEANED);
        while (cleaned.size() < logs) {
            if (System.nanoTime() - endNanos > 0) {
                throw new IOException(cleaned.size() + " of " + logs + " logs have been cleaned, see " + file);
            }
            TimeUnit.SECONDS.sleep(1);
            cleaned = matches(CLEANED);
        }
        return cleaned.stream().mapToDouble(match -> number(match.group(1))).sum()
                / cleaned.stream().mapToDouble(match -> number(match.group(2))).sum();
    }

    private List<MatchResult> matches(Pattern pattern) throws IOException {
        return pattern.matcher(Files.readString(file)).results().toList();
    }

    private static double number(String text) {
        return Double.parseDouble(text.replace(",", ""));
    }
}

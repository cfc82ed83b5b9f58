/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaFuture;

/** Waits for a starting broker to answer. */
public final class Readiness {
    private static final long LOOK_MS = 200;
    private static final int TAIL_LINES = 40;
    private static final int ERROR_LINES = 10;
    private static final Pattern ERROR = Pattern.compile("\\b(ERROR|FATAL)\\b");

    private Readiness() {}

    /** Returns when the broker answers; throws with the end of its output when it dies or is too slow. */
    public static void await(Broker broker, Duration deadline) {
        Properties properties = broker.clientProperties();
        properties.put("default.api.timeout.ms", String.valueOf(2 * deadline.toMillis())); // the deadline comes first
        long endNanos = System.nanoTime() + deadline.toNanos();
        Admin admin = Admin.create(properties);
        try {
            KafkaFuture<?> answer = admin.describeCluster().nodes();
            while (!isThere(answer, broker)) {
                if (!broker.isAlive()) {
                    throw new IllegalStateException("the broker ended while it started\n" + tail(broker.logFile()));
                }
                if (System.nanoTime() > endNanos) {
                    throw new IllegalStateException("no answer within " + deadline + "\n" + tail(broker.logFile()));
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while the broker started", e);
        } finally {
            // Without a limit, close would wait for a request that the broker will never answer.
            admin.close(Duration.ZERO);
        }
    }

    private static boolean isThere(KafkaFuture<?> answer, Broker broker) throws InterruptedException {
        try {
            answer.get(LOOK_MS, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException notYet) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("the broker gave no answer\n" + tail(broker.logFile()), e.getCause());
        }
    }

    /** Prints the first errors and the last lines of a broker's output to standard error. */
    public static void print(Path log) {
        System.err.println("--- " + log + "\n" + tail(log));
    }

    /** The first errors in a broker's output, which tell what went wrong, and its last lines. */
    public static String tail(Path log) {
        try {
            List<String> lines = Files.readAllLines(log, StandardCharsets.UTF_8);
            int from = Math.max(0, lines.size() - TAIL_LINES);
            Stream<String> errors =
                    lines.subList(0, from).stream().filter(ERROR.asPredicate()).limit(ERROR_LINES);
            return Stream.concat(errors, lines.subList(from, lines.size()).stream())
                    .collect(Collectors.joining("\n"));
        } catch (IOException e) {
            return "no output at " + log + ": " + e;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import io.evenkeel.testkit.ForkedBroker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** How long a broker takes to start. Stateless. */
public final class StartTime {
    private static final String STARTED = "Kafka Server started";
    private static final Duration DEADLINE = Duration.ofMinutes(15);
    private static final long POLL_MS = 5;

    private StartTime() {}

    /**
     * Starts a broker that has run before; returns, when it answers requests, how long it took from the start of the
     * process until the broker logged that it has started.
     *
     * @throws IllegalStateException when it does not start
     */
    public static double seconds(ForkedBroker broker, List<Path> cgroups) throws IOException, InterruptedException {
        try (InputStream output = Files.newInputStream(broker.logFile())) {
            output.skipNBytes(Files.size(broker.logFile()));
            long startNanos = System.nanoTime();
            Process process = broker.launch();
            ControlGroups.enter(cgroups, process);
            String seen = "";
            while (!seen.contains(STARTED)) {
                if (!process.isAlive() || System.nanoTime() - startNanos > DEADLINE.toNanos()) {
                    throw new IllegalStateException("the broker did not start, see " + broker.logFile());
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MS);
                String end = seen.substring(Math.max(0, seen.length() - STARTED.length()));
                seen = end + new String(output.readAllBytes(), StandardCharsets.UTF_8);
            }
            double seconds = (System.nanoTime() - startNanos) / 1e9;
            broker.awaitReady();
            return seconds;
        }
    }
}

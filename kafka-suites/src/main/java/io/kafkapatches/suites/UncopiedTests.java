/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.suites;

import io.kafkapatches.tiered.kafka.TieredSsdHooks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Has the tier leave segments where they are written, on the SSD, during the tests that spoil a file behind the log's back: a
 * segment that is on both disks would be read from the other one. Thread safe.
 *
 * @param names as {@link OutcomeListener#name}
 */
record UncopiedTests(Set<String> names) implements TestExecutionListener {

    /** Reads a line for each test, and comments. */
    static UncopiedTests read(Path file) throws IOException {
        return new UncopiedTests(Files.readAllLines(file).stream()
                .map(String::trim)
                .filter(line -> !line.isEmpty() && !line.startsWith("#"))
                .collect(Collectors.toUnmodifiableSet()));
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            TieredSsdHooks.copies(!names.contains(OutcomeListener.name(test)));
        }
    }
}

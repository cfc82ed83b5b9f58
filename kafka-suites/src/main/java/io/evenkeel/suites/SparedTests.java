/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Switches a patch off during tests that damage the files of an open log: the patch would then do with the files what
 * no log does. Thread safe.
 *
 * @param names as {@link OutcomeListener#name}
 * @param works called before each test with whether the patch is on
 */
record SparedTests(Set<String> names, Consumer<Boolean> works) implements TestExecutionListener {

    /** @param file for {@link TestNames} */
    static SparedTests read(Path file, Consumer<Boolean> works) throws IOException {
        return new SparedTests(TestNames.read(file), works);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            works.accept(!names.contains(OutcomeListener.name(test)));
        }
    }
}

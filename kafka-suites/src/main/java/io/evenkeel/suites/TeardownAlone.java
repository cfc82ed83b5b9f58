/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import io.evenkeel.tiered.kafka.TieredSsdHooks;
import org.junit.jupiter.api.extension.AfterTestExecutionCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Has the tiers stand still from the end of a test's own method until the next test begins: many tests tidy up by
 * removing the directories of logs that are still open, and a copy that begins there meanwhile is a file that the
 * removal does not know. JUnit finds it by its service file, as Kafka's tests have it look there. Stateless.
 */
public final class TeardownAlone implements AfterTestExecutionCallback {
    @Override
    public void afterTestExecution(ExtensionContext test) {
        TieredSsdHooks.standStill();
    }
}

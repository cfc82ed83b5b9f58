/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.suites;

import io.kafkapatches.tiered.kafka.TieredSsdHooks;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The JVM that runs the tests, stock or patched. */
final class SuiteProcess {
    /** Names the file for what the tier has done; set in the patched run only. */
    static final String DONE = "suites.done";
    /** Names the file for {@link UncopiedTests}; set in the patched run only. */
    static final String UNCOPIED = "suites.uncopied";

    private SuiteProcess() {}

    /** Arguments: the file for the outcomes, a file with a line for each class or {@code class#method}. */
    public static void main(String[] arguments) throws IOException {
        String done = System.getProperty(DONE);
        List<DiscoverySelector> selectors = Files.readAllLines(Path.of(arguments[1])).stream()
                .map(SuiteProcess::selector)
                .toList();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .filters(TagFilter.excludeTags("flaky"))
                .configurationParameter("junit.jupiter.execution.timeout.default", "5 m")
                .configurationParameter(
                        "junit.jupiter.extensions.autodetection.exclude",
                        done == null ? TeardownAlone.class.getName() : "")
                .build();
        Launcher launcher = LauncherFactory.create();
        if (done != null) {
            launcher.registerTestExecutionListeners(UncopiedTests.read(Path.of(System.getProperty(UNCOPIED))));
        }
        try (Writer file = Files.newBufferedWriter(Path.of(arguments[0]))) {
            launcher.execute(request, new OutcomeListener(file));
        }
        if (done != null) {
            writeDone(Path.of(done));
        }
        Runtime.getRuntime().halt(0); // whatever threads the tests have left
    }

    private static void writeDone(Path path) throws IOException {
        Properties counts = new Properties();
        TieredSsdHooks.done().forEach((what, count) -> counts.setProperty(what, count.toString()));
        try (Writer file = Files.newBufferedWriter(path)) {
            counts.store(file, null);
        }
    }

    private static DiscoverySelector selector(String name) {
        return name.contains("#") ? DiscoverySelectors.selectMethod(name) : DiscoverySelectors.selectClass(name);
    }
}

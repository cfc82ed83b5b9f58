/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import io.evenkeel.purgatory.kafka.PurgatoryWheelHooks;
import io.evenkeel.tiered.kafka.TieredSsdHooks;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The JVM that runs the tests, stock or patched. */
final class SuiteProcess {
    /** Names the file for the counts of the patches' actions; set in the patched run only. */
    static final String DONE = "suites.done";
    /** Names the file for the {@link SparedTests} of the tier; set in the patched run only. */
    static final String UNCOPIED = "suites.uncopied";
    /** The same for flushing by rate. */
    static final String UNFLUSHED = "suites.unflushed";

    /** Names the {@link Patches} that are on; set in the patched run only. */
    static final String PATCHES = "suites.patches";

    private SuiteProcess() {}

    /** Arguments: the file for the outcomes, a file with a line for each class or {@code class#method}. */
    public static void main(String[] arguments) throws IOException {
        String done = System.getProperty(DONE);
        Patches patches = done == null ? null : Patches.valueOf(System.getProperty(PATCHES));
        List<DiscoverySelector> selectors = Files.readAllLines(Path.of(arguments[1])).stream()
                .map(SuiteProcess::selector)
                .toList();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .filters(TagFilter.excludeTags("flaky"))
                .configurationParameter("junit.jupiter.execution.timeout.default", "5 m")
                .configurationParameter(
                        "junit.jupiter.extensions.autodetection.exclude",
                        patches == null || !patches.hasTier() ? TeardownAlone.class.getName() : "")
                .build();
        Launcher launcher = LauncherFactory.create();
        FlushByRate flush = new FlushByRate();
        if (patches != null && patches.hasTier()) {
            RemovalAlone.weave();
            launcher.registerTestExecutionListeners(
                    SparedTests.read(Path.of(System.getProperty(UNCOPIED)), TieredSsdHooks::copies));
        }
        if (patches != null && patches.hasFlush()) {
            launcher.registerTestExecutionListeners(
                    SparedTests.read(Path.of(System.getProperty(UNFLUSHED)), flush::works));
        }
        try (Writer file = Files.newBufferedWriter(Path.of(arguments[0]))) {
            launcher.execute(request, new OutcomeListener(file));
        }
        if (patches != null) {
            Map<String, Long> counts = new TreeMap<>(PurgatoryWheelHooks.done());
            counts.putAll(patches.hasTier() ? TieredSsdHooks.done() : Map.of());
            counts.putAll(flush.done());
            writeDone(Path.of(done), counts);
        }
        Runtime.getRuntime().halt(0); // whatever threads the tests have left
    }

    private static void writeDone(Path path, Map<String, Long> done) throws IOException {
        Properties counts = new Properties();
        done.forEach((what, count) -> counts.setProperty(what, count.toString()));
        try (Writer file = Files.newBufferedWriter(path)) {
            counts.store(file, null);
        }
    }

    private static DiscoverySelector selector(String name) {
        return name.contains("#") ? DiscoverySelectors.selectMethod(name) : DiscoverySelectors.selectClass(name);
    }
}

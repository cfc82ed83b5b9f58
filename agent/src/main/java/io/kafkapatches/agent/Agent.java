/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.agent;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The agent's entry: in a broker it weaves the patches in or stops the JVM; {@code kafka-topics.sh} gets to know our topic
 * configs; elsewhere it does nothing. Stateless.
 */
public final class Agent {
    private Agent() {}

    /** Called by the JVM on the main thread, before the main class loads. */
    public static void premain(@Nullable String argument, Instrumentation instrumentation) {
        if (!MainClass.isBroker() && !AgentOptions.isForced(argument)) {
            if (MainClass.isTopicTool()) {
                patchTopicTool(instrumentation);
            }
            return;
        }
        try {
            patch(argument, instrumentation);
        } catch (Throwable e) {
            stop(e);
        }
    }

    private static void patch(@Nullable String argument, Instrumentation instrumentation)
            throws IOException, ClassNotFoundException {
        List<Patch> patches = List.of(TieredSsdPatch.patch(), PurgatoryWheelPatch.patch(), FlushRatelimitPatch.patch());
        AgentOptions options = AgentOptions.parse(
                argument, patches.stream().map(Patch::keyPrefix).toList());
        Map<String, String> keys =
                new HashMap<>(MainClass.isBroker() ? BrokerKeys.of(MainClass.arguments()) : Map.of());
        keys.putAll(options.overrides());
        ClassFiles classFiles = new ClassFiles(ClassLoader.getSystemClassLoader());
        Weaver weaver = new Weaver(classFiles, instrumentation, options.dump());

        List<Weaver.Fit> fits = new ArrayList<>();
        for (Patch patch : patches) {
            try {
                if (patch.configure().test(startingWith(patch.keyPrefix(), keys))) {
                    fits.add(weaver.check(patch));
                }
            } catch (PatchException mismatch) {
                if (!options.skipsMismatch()) {
                    throw mismatch;
                }
                say("WARNING: running without a patch that does not fit: " + mismatch.getMessage());
            }
        }
        if (!fits.isEmpty()) {
            weaver.weave(fits);
            fits.forEach(fit -> handOver(options.overrides(), fit.patch()));
            say(summary(fits, classFiles.kafkaVersion()));
        }
    }

    private static String summary(List<Weaver.Fit> fits, String kafkaVersion) {
        int replaced = fits.stream().mapToInt(fit -> fit.replacements().size()).sum();
        return "%s woven into Kafka %s (%d hook points%s)"
                .formatted(
                        fits.stream().map(fit -> fit.patch().name()).collect(Collectors.joining(", ")),
                        kafkaVersion,
                        fits.stream().mapToInt(fit -> fit.sites().size()).sum(),
                        replaced == 0 ? "" : ", %d classes replaced".formatted(replaced));
    }

    /** The tool checks topic configs before any broker does. Without ours it is as it was, so nothing is said or stopped. */
    private static void patchTopicTool(Instrumentation instrumentation) {
        try {
            Weaver weaver = new Weaver(new ClassFiles(ClassLoader.getSystemClassLoader()), instrumentation, null);
            weaver.weave(List.of(weaver.check(TieredSsdPatch.inTopicTool())));
        } catch (Throwable unfit) {
            // then the tool refuses our keys
        }
    }

    /** Leaves the door shut when there is nothing to hand over: its class starts slf4j, which is the broker's to start. */
    private static void handOver(Map<String, String> overrides, Patch patch) {
        Map<String, String> keys = startingWith(patch.keyPrefix(), overrides);
        if (!keys.isEmpty()) {
            patch.overrides().accept(keys);
        }
    }

    private static Map<String, String> startingWith(String prefix, Map<String, String> keys) {
        return keys.entrySet().stream()
                .filter(key -> key.getKey().startsWith(prefix))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Ends the JVM at once: no shutdown hook of a half patched broker may run. */
    private static void stop(Throwable cause) {
        if (cause instanceof PatchException mismatch) {
            say(mismatch.report());
        } else if (cause instanceof IllegalArgumentException) {
            say("the broker was not started: " + cause.getMessage());
        } else {
            say("the broker was stopped: " + cause);
            cause.printStackTrace();
        }
        Runtime.getRuntime().halt(1);
    }

    /** On stderr: Kafka's logging is not there yet. */
    private static void say(String message) {
        String version = Agent.class.getPackage().getImplementationVersion();
        System.err.println("kafka-patches " + Objects.requireNonNullElse(version, "(no jar)") + ": " + message);
    }
}

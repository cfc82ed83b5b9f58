/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The agent's entry. In a broker it weaves the patches in or stops the JVM, and it makes {@code kafka-topics.sh} know
 * our topic configs. In any other JVM it does nothing, nor where it is given a second time. Stateless.
 *
 * <p>The agent checks and weaves on a thread of its own, while the broker starts its logging. The broker waits only
 * when it is about to load a class that a patch changes.
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
        if (!GivenTwice.isFirst()) {
            say(GivenTwice.message(ManagementFactory.getRuntimeMXBean().getInputArguments(), System.getenv()));
            return;
        }
        try {
            List<Patch> patches =
                    List.of(TieredSsdPatch.patch(), PurgatoryWheelPatch.patch(), FlushRatelimitPatch.patch());
            AgentOptions options = AgentOptions.parse(
                    argument, patches.stream().map(Patch::keyPrefix).toList());
            ClassFiles classFiles = new ClassFiles(ClassLoader.getSystemClassLoader());
            Weaver weaver = new Weaver(classFiles, instrumentation, patches, options.dump(), Agent::stop);
            Thread thread = new Thread(() -> patchOrStop(patches, options, classFiles, weaver), "evenkeel");
            thread.setDaemon(true);
            thread.start();
            Runtime.getRuntime().addShutdownHook(new Thread(() -> await(thread), "evenkeel-verdict"));
        } catch (Throwable e) {
            stop(e);
        }
    }

    private static void patchOrStop(
            Collection<Patch> patches, AgentOptions options, ClassFiles classFiles, Weaver weaver) {
        try (weaver) {
            try {
                patch(patches, options, classFiles, weaver);
            } catch (Throwable e) {
                stop(e); // before the weaver lets go
            }
        }
    }

    /** A broker that ends at once for a reason of its own waits until the agent has printed its verdict. */
    private static void await(Thread thread) {
        try {
            thread.join(Gate.LONGEST_WAIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void patch(Collection<Patch> patches, AgentOptions options, ClassFiles classFiles, Weaver weaver)
            throws IOException, ClassNotFoundException {
        Map<String, String> keys =
                new HashMap<>(MainClass.isBroker() ? BrokerKeys.of(MainClass.arguments()) : Map.of());
        keys.putAll(options.overrides());
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
                say("WARNING: the broker runs without a patch that does not fit: " + mismatch.getMessage());
            }
        }
        if (!fits.isEmpty()) {
            PatchConfigs.register(options.overrides(), fits);
            weaver.weave(fits);
            say(summary(fits, classFiles.kafkaVersion()));
        }
    }

    private static String summary(List<Weaver.Fit> fits, String kafkaVersion) {
        int replaced = fits.stream().mapToInt(fit -> fit.replacements().size()).sum();
        return "%s woven into Kafka %s (%d hook points%s)"
                .formatted(
                        fits.stream().map(fit -> fit.patch().name()).collect(joining(", ")),
                        kafkaVersion,
                        fits.stream().mapToInt(fit -> fit.sites().size()).sum(),
                        replaced == 0 ? "" : ", %d classes replaced".formatted(replaced));
    }

    /** The tool checks topic configs before any broker does. When the patch does not fit, the tool runs as stock. */
    private static void patchTopicTool(Instrumentation instrumentation) {
        try {
            Patch patch = TieredSsdPatch.inTopicTool();
            ClassFiles classFiles = new ClassFiles(ClassLoader.getSystemClassLoader());
            try (Weaver weaver = new Weaver(classFiles, instrumentation, List.of(patch), null, failure -> {})) {
                weaver.weave(List.of(weaver.check(patch)));
            }
        } catch (Throwable unfit) {
            // the tool refuses our topic configs, as stock does
        }
    }

    private static Map<String, String> startingWith(String prefix, Map<String, String> keys) {
        return keys.entrySet().stream()
                .filter(key -> key.getKey().startsWith(prefix))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Ends the JVM at once: no shutdown hook of a half-patched broker may run. Only one thread reports why. */
    private static synchronized void stop(Throwable cause) {
        try {
            if (cause instanceof PatchException mismatch) {
                say(mismatch.report());
            } else if (cause instanceof IllegalArgumentException) {
                say("the broker was not started: " + cause.getMessage());
            } else {
                say("the broker was stopped: " + cause);
                cause.printStackTrace();
            }
        } finally {
            Runtime.getRuntime().halt(1);
        }
    }

    /** On stderr: Kafka's logging has not started yet. */
    private static void say(String message) {
        String version = Agent.class.getPackage().getImplementationVersion();
        System.err.println("evenkeel " + Objects.requireNonNullElse(version, "(no jar)") + ": " + message);
    }

    /**
     * The mark that the first of our agents leaves in the JVM. An operator may name the jar twice, or two copies of it,
     * or name it in {@code KAFKA_OPTS} and in {@code JAVA_TOOL_OPTIONS}: each time the JVM calls the agent. Stateless.
     */
    private static final class GivenTwice {
        /** A system property, because a second jar may have its classes in another loader. */
        private static final String MARK = "io.evenkeel.agent.in.charge";

        private static final String OPTION = "-javaagent:";

        private GivenTwice() {}

        /** True for the first call in this JVM. */
        static boolean isFirst() {
            return System.setProperty(MARK, "true") == null;
        }

        /**
         * Says where the agent is given.
         *
         * @param jvmArguments of this JVM, those of {@code JAVA_TOOL_OPTIONS} among them
         */
        static String message(List<String> jvmArguments, Map<String, String> environment) {
            List<String> given =
                    jvmArguments.stream().filter(GivenTwice::isOurs).distinct().toList();
            String variables = environment.entrySet().stream()
                    .filter(variable -> given.stream().anyMatch(variable.getValue()::contains))
                    .map(Map.Entry::getKey)
                    .sorted()
                    .collect(joining(", "));
            return "the agent is given more than once: " + String.join(" ", given)
                    + (variables.isEmpty() ? "" : " (see " + variables + ")")
                    + ". The first one is in charge and this one does nothing. Keep one of them.";
        }

        private static boolean isOurs(String jvmArgument) {
            return jvmArgument.startsWith(OPTION)
                    && Agent.class
                            .getName()
                            .equals(premainClass(
                                    jvmArgument.substring(OPTION.length()).split("=", 2)[0]));
        }

        private static @Nullable String premainClass(String jar) {
            return MainClass.manifestValue(jar, "Premain-Class");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import com.google.errorprone.annotations.FormatMethod;
import io.evenkeel.core.NearestKey;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the operator wrote behind {@code -javaagent:evenkeel-agent.jar=}, as {@code key=value,…}. Immutable.
 *
 * @param skipsMismatch leave out a patch that does not fit this Kafka, instead of stopping the broker
 * @param dump the directory that woven classes are written to, or null
 * @param overrides our config keys, from the file named by {@code config}; they win over the broker's own config
 */
record AgentOptions(boolean skipsMismatch, @Nullable Path dump, Map<String, String> overrides) {
    private static final String FORCE = "force";
    private static final String ON_MISMATCH = "on.mismatch";
    private static final String CONFIG = "config";
    private static final String DUMP = "dump";
    private static final List<String> OPTIONS = List.of(FORCE, ON_MISMATCH, CONFIG, DUMP);

    /** True when the agent must work in a JVM that is no broker, as in a test harness. Never fails. */
    static boolean isForced(@Nullable String argument) {
        return argument != null && List.of(argument.split(",")).contains(FORCE + "=true");
    }

    /**
     * @param ownPrefixes what the keys in the {@code config} file may start with
     * @throws IllegalArgumentException when {@code argument} or its {@code config} file has an error
     */
    static AgentOptions parse(@Nullable String argument, Collection<String> ownPrefixes) {
        Map<String, String> options = options(argument);
        choice(options, FORCE, "false", "true");
        return new AgentOptions(
                choice(options, ON_MISMATCH, "fail", "skip").equals("skip"),
                options.containsKey(DUMP) ? directory(Path.of(options.get(DUMP))) : null,
                options.containsKey(CONFIG) ? keys(Path.of(options.get(CONFIG)), ownPrefixes) : Map.of());
    }

    private static Map<String, String> options(@Nullable String argument) {
        Map<String, String> options = new HashMap<>();
        if (argument == null || argument.isBlank()) {
            return options;
        }
        for (String option : argument.split(",", -1)) {
            String[] pair = option.split("=", 2);
            String key = pair[0].trim();
            require(
                    OPTIONS.contains(key),
                    "unknown agent option '%s', did you mean '%s'?",
                    key,
                    NearestKey.of(key, OPTIONS));
            require(pair.length == 2 && !pair[1].isBlank(), "agent option '%s' has no value", key);
            require(options.put(key, pair[1].trim()) == null, "agent option '%s' is given twice", key);
        }
        return options;
    }

    private static String choice(Map<String, String> options, String key, String usual, String other) {
        String value = options.getOrDefault(key, usual);
        require(
                value.equals(usual) || value.equals(other),
                "agent option '%s' is '%s' and must be '%s' or '%s'",
                key,
                value,
                usual,
                other);
        return value;
    }

    private static Path directory(Path dump) {
        require(Files.isDirectory(dump), "agent option 'dump': '%s' is not a directory", dump);
        return dump;
    }

    private static Map<String, String> keys(Path file, Collection<String> ownPrefixes) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            throw new IllegalArgumentException("agent option 'config': cannot read '%s': %s".formatted(file, e), e);
        }
        Map<String, String> keys = new TreeMap<>();
        for (String key : properties.stringPropertyNames()) {
            require(
                    ownPrefixes.stream().anyMatch(key::startsWith),
                    "agent option 'config': '%s' has the key '%s', which is not a key of evenkeel; these start with %s",
                    file,
                    key,
                    String.join(", ", ownPrefixes));
            keys.put(key, properties.getProperty(key));
        }
        return Map.copyOf(keys);
    }

    @FormatMethod
    private static void require(boolean condition, String message, Object... values) {
        if (!condition) {
            throw new IllegalArgumentException(message.formatted(values));
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import io.evenkeel.core.ConfigKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** The values of a patch's keys in one config, with the defaults. Immutable. */
public final class PatchValues {
    private final ConfigDef definition;
    private final Map<String, Object> parsed;
    private final Set<String> given;

    PatchValues(ConfigDef definition, Map<String, Object> parsed, Set<String> given) {
        this.definition = definition;
        this.parsed = parsed;
        this.given = new TreeSet<>(given);
    }

    /**
     * The value of a key that has a default.
     *
     * @throws IllegalArgumentException that names the key and the value, when it cannot be read
     */
    public <T> T get(ConfigKey<T> key) {
        return Objects.requireNonNull(find(key), key.name());
    }

    /** The value of a key, or null when it is not set and has no default. */
    public <T> @Nullable T find(ConfigKey<T> key) {
        Object value = parsed.get(key.name());
        return value == null ? null : key.read(value);
    }

    /**
     * Makes settings of the values.
     *
     * @throws ConfigException in the place of an {@link IllegalArgumentException}, for Kafka
     */
    public <S> S settings(Supplier<S> reader) {
        try {
            return reader.get();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
    }

    /** The names of the keys that are set, in alphabetical order. */
    public Set<String> given() {
        return given;
    }

    /** All keys that have a value, with their values as an operator writes them. */
    Map<String, String> shown() {
        Map<String, String> shown = new LinkedHashMap<>();
        definition.configKeys().forEach((name, key) -> {
            Object value = parsed.get(name);
            if (value != null) {
                shown.put(name, ConfigDef.convertToString(value, key.type));
            }
        });
        return shown;
    }

    /** As in {@code tiered.ssd.mode=on, tiered.ssd.capacity.bytes=1000}, for messages. */
    @Override
    public String toString() {
        return shown().entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(", "));
    }
}

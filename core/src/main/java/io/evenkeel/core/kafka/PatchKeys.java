/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import io.evenkeel.core.ConfigKey;
import io.evenkeel.core.NearestKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** The config keys of a patch, among all others of a broker, in Kafka's own terms. Immutable. */
public final class PatchKeys {
    private final String prefix;
    private final Map<String, ConfigKey<?>> byName;
    private final ConfigDef definition;

    /**
     * @param prefix all keys of the patch begin with it; another key that begins with it is a typo
     * @param keys in the order of the documentation
     */
    public PatchKeys(String prefix, List<ConfigKey<?>> keys) {
        this.prefix = prefix;
        this.byName = new LinkedHashMap<>();
        this.definition = new ConfigDef();
        for (ConfigKey<?> key : keys) {
            byName.put(key.name(), key);
            define(definition, key);
        }
    }

    private static void define(ConfigDef definition, ConfigKey<?> key) {
        List<String> choices = key.choices();
        definition.define(
                key.name(),
                ConfigDef.Type.valueOf(key.type().name()),
                key.defaultValue(),
                choices.isEmpty() ? null : ConfigDef.ValidString.in(choices.toArray(String[]::new)),
                ConfigDef.Importance.valueOf(key.importance().name()),
                key.doc());
    }

    public String prefix() {
        return prefix;
    }

    /** All of them, in the order of the documentation. */
    public List<ConfigKey<?>> all() {
        return List.copyOf(byName.values());
    }

    /**
     * The values of the patch's keys in a broker's config.
     *
     * @throws ConfigException when a key is unknown, or a value is of a wrong type
     */
    public PatchValues values(Map<String, ?> brokerConfig) {
        Map<String, Object> ours = of(brokerConfig);
        return new PatchValues(definition, definition.parse(ours), ours.keySet());
    }

    /**
     * The patch's keys out of a broker's.
     *
     * @throws ConfigException when one is unknown
     */
    Map<String, Object> of(Map<String, ?> brokerConfig) {
        Map<String, Object> ours = new TreeMap<>();
        brokerConfig.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                ours.put(key, value);
            }
        });
        ours.forEach(this::requireKnown);
        return ours;
    }

    /**
     * The patch's keys among those that {@code kafka-configs.sh} would set for a broker or for all of them. They are
     * checked one by one: only where the patch is on can they be checked together. What is set already is not checked
     * again: a broker without the patch may have accepted it, and it must not keep all later changes away.
     *
     * @param isSet whether a key has that value already
     * @throws ConfigException when a key is unknown or cannot be changed while the broker runs, or a value is of a
     *     wrong type
     */
    public Map<String, String> checkedChange(Properties configs, BiPredicate<String, String> isSet) {
        Map<String, String> ours = new TreeMap<>();
        for (String key : configs.stringPropertyNames()) {
            String value = configs.getProperty(key);
            if (key.startsWith(prefix) && (!isSet.test(key, value) || refusal(key, value) == null)) {
                checkChange(key, value);
                ours.put(key, value);
            }
        }
        return ours;
    }

    /** Why a key cannot be set to a value; null when it can. */
    @Nullable
    String refusal(String key, String value) {
        try {
            checkChange(key, value);
            return null;
        } catch (ConfigException e) {
            return e.getMessage();
        }
    }

    /** The patch's keys in {@code configs} that cannot be used, each with the reason. */
    Map<String, String> unusableIn(Properties configs) {
        Map<String, String> reasons = new TreeMap<>();
        for (String key : configs.stringPropertyNames()) {
            String reason = key.startsWith(prefix) ? refusal(key, configs.getProperty(key)) : null;
            if (reason != null) {
                reasons.put(key, reason);
            }
        }
        return reasons;
    }

    /** The keys in {@code configs} that can be changed while the broker runs. */
    public Map<String, String> dynamicIn(Properties configs) {
        Map<String, String> ours = new TreeMap<>();
        for (ConfigKey<?> key : byName.values()) {
            String value = configs.getProperty(key.name());
            if (key.isDynamic() && value != null && refusal(key.name(), value) == null) {
                ours.put(key.name(), value);
            }
        }
        return ours;
    }

    /** All keys that can be changed while the broker runs, with their values as an operator writes them. */
    Map<String, String> dynamicOf(Map<String, ?> brokerConfig) {
        Map<String, String> shown = values(brokerConfig).shown();
        return byName.values().stream()
                .filter(ConfigKey::isDynamic)
                .collect(Collectors.toMap(
                        ConfigKey::name,
                        key -> shown.getOrDefault(key.name(), ""),
                        (one, other) -> one,
                        LinkedHashMap::new));
    }

    /** The type of one of the keys; null for others. */
    public ConfigDef.@Nullable Type typeOf(String key) {
        ConfigKey<?> known = byName.get(key);
        return known == null ? null : ConfigDef.Type.valueOf(known.type().name());
    }

    private void checkChange(String name, String value) {
        ConfigKey<?> key = requireKnown(name, value);
        if (!key.isDynamic()) {
            throw new ConfigException(name + " cannot be changed while the broker runs: set it in server.properties"
                    + " and restart the broker.");
        }
        ConfigDef alone = new ConfigDef();
        define(alone, key);
        PatchValues values = new PatchValues(alone, alone.parse(Map.of(name, value)), Set.of(name));
        values.settings(() -> read(key, values));
    }

    private static <T> T read(ConfigKey<T> key, PatchValues values) {
        T value = values.get(key);
        key.check(value);
        return value;
    }

    private ConfigKey<?> requireKnown(String name, Object value) {
        ConfigKey<?> known = byName.get(name);
        if (known == null) {
            throw new ConfigException("Unknown key " + name + "=" + value + "; did you mean "
                    + NearestKey.of(name, byName.keySet()) + "?");
        }
        return known;
    }
}

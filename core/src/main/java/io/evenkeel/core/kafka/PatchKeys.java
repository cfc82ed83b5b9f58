/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import io.evenkeel.core.ConfigKey;
import io.evenkeel.core.NearestKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
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
     * checked one by one: only where the patch is on can they be checked together.
     *
     * @throws ConfigException when a key is unknown or cannot be changed while the broker runs, or a value is of a
     *     wrong type
     */
    public Map<String, String> checkedChange(Properties configs) {
        Map<String, String> ours = new TreeMap<>();
        for (String key : configs.stringPropertyNames()) {
            if (key.startsWith(prefix)) {
                ours.put(key, configs.getProperty(key));
            }
        }
        ours.forEach(this::checkChange);
        return ours;
    }

    /** The keys in {@code configs} that can be changed while the broker runs. */
    public Map<String, String> dynamicIn(Properties configs) {
        Map<String, String> ours = new TreeMap<>();
        for (ConfigKey<?> key : byName.values()) {
            String value = configs.getProperty(key.name());
            if (key.isDynamic() && value != null) {
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
        alone.parse(Map.of(name, value));
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

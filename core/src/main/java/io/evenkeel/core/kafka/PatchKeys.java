/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import io.evenkeel.core.NearestKey;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * The config keys of a patch, among all others of a broker. Not changed by anybody.
 *
 * @param prefix all of them begin with it; what else begins with it is a typo
 * @param definition the keys, their types, defaults and documentation
 * @param dynamic what can be changed with {@code kafka-configs.sh} while the broker runs
 */
public record PatchKeys(String prefix, ConfigDef definition, Set<String> dynamic) {
    public PatchKeys {
        dynamic = Set.copyOf(dynamic);
    }

    /**
     * The patch's keys out of a broker's.
     *
     * @throws ConfigException when one is unknown
     */
    public Map<String, Object> of(Map<String, ?> brokerConfig) {
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
     * The patch's keys among what {@code kafka-configs.sh} would set for a broker or for all of them, checked one by
     * one: together they mean something only where the patch is on.
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

    /** Those that can be changed while the broker runs. */
    public Map<String, String> dynamicIn(Properties configs) {
        Map<String, String> ours = new TreeMap<>();
        for (String key : dynamic) {
            String value = configs.getProperty(key);
            if (value != null) {
                ours.put(key, value);
            }
        }
        return ours;
    }

    /** The type of one of the keys; null for others. */
    public ConfigDef.@Nullable Type typeOf(String key) {
        ConfigDef.ConfigKey known =
                key.startsWith(prefix) ? definition.configKeys().get(key) : null;
        return known == null ? null : known.type();
    }

    private void checkChange(String key, String value) {
        ConfigDef.ConfigKey known = requireKnown(key, value);
        if (!dynamic.contains(key)) {
            throw new ConfigException(key + " cannot be changed while the broker runs: set it in server.properties and "
                    + "restart the broker.");
        }
        new ConfigDef().define(known).parse(Map.of(key, value));
    }

    private ConfigDef.ConfigKey requireKnown(String key, Object value) {
        ConfigDef.ConfigKey known = definition.configKeys().get(key);
        if (known == null) {
            throw new ConfigException("Unknown key " + key + "=" + value + "; did you mean "
                    + NearestKey.of(key, definition.names()) + "?");
        }
        return known;
    }
}

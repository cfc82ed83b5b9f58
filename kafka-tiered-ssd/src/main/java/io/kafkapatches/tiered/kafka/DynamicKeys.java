/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import io.kafkapatches.core.NearestKey;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/** Our keys among what {@code kafka-configs.sh} sets for a broker or for all of them. Stateless. */
final class DynamicKeys {
    private DynamicKeys() {}

    /**
     * All of ours, checked one by one: together they mean something only where the tier is on.
     *
     * @throws ConfigException when a key is unknown or cannot be changed while the broker runs, or a value is of a wrong type
     */
    static Map<String, String> checked(Properties configs) {
        Map<String, String> ours = new TreeMap<>();
        for (String key : configs.stringPropertyNames()) {
            if (key.startsWith(TieredSsdConfig.PREFIX)) {
                ours.put(key, configs.getProperty(key));
            }
        }
        ours.forEach(DynamicKeys::check);
        return ours;
    }

    /** Those of ours that can be changed while the broker runs. */
    static Map<String, String> in(Properties configs) {
        Map<String, String> ours = new TreeMap<>();
        for (String key : TieredSsdConfig.dynamicKeys()) {
            String value = configs.getProperty(key);
            if (value != null) {
                ours.put(key, value);
            }
        }
        return ours;
    }

    private static void check(String key, String value) {
        ConfigDef definition = TieredSsdConfig.definition();
        ConfigDef.ConfigKey known = definition.configKeys().get(key);
        if (known == null) {
            throw new ConfigException("Unknown key " + key + "=" + value + "; did you mean "
                    + NearestKey.of(key, definition.names()) + "?");
        }
        if (!TieredSsdConfig.dynamicKeys().contains(key)) {
            throw new ConfigException(key + " cannot be changed while the broker runs: set it in server.properties and "
                    + "restart the broker.");
        }
        new ConfigDef().define(known).parse(Map.of(key, value));
    }
}

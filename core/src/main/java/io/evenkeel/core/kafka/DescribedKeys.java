/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import io.evenkeel.core.ConfigKey;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResourceResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsSynonym;
import org.apache.kafka.common.requests.DescribeConfigsResponse;
import org.apache.kafka.common.requests.DescribeConfigsResponse.ConfigSource;
import org.jspecify.annotations.Nullable;

/**
 * Our keys in a broker's answer to a client that asks for its config, such as {@code kafka-configs.sh --describe
 * --all}. Kafka itself knows only those that are set, and neither their defaults nor their documentation. Immutable.
 *
 * @param keys of all patches
 * @param overrides of the agent's {@code config=<file>}
 * @param withSynonyms whether the client asks for all places where a key is set
 * @param withDocumentation whether the client asks for the documentation
 */
record DescribedKeys(
        List<ConfigKey<?>> keys, Map<String, String> overrides, boolean withSynonyms, boolean withDocumentation) {
    private static final byte DEFAULT = ConfigSource.DEFAULT_CONFIG.id();
    private static final byte STATIC = ConfigSource.STATIC_BROKER_CONFIG.id();

    /** Completes the answer, if the question is about a broker. */
    void complete(DescribeConfigsResource asked, DescribeConfigsResult answer) {
        if (asked.resourceType() != ConfigResource.Type.BROKER.id() || answer.errorCode() != 0) {
            return;
        }
        boolean isOneBroker =
                asked.resourceName() != null && !asked.resourceName().isEmpty();
        Map<String, DescribeConfigsResourceResult> entries = new LinkedHashMap<>();
        answer.configs().forEach(entry -> entries.put(entry.name(), entry));
        for (ConfigKey<?> key : keys) {
            DescribeConfigsResourceResult known = entries.get(key.name());
            if (isOneBroker && isAsked(asked, key.name()) && mayBeOverridden(key.name(), known)) {
                known = atStart(key);
                entries.put(key.name(), known);
            } else if (isOneBroker && known != null) {
                addDefault(key, known);
            }
            if (known != null) {
                known.setReadOnly(!key.isDynamic()).setDocumentation(withDocumentation ? key.doc() : null);
            }
        }
        answer.setConfigs(new ArrayList<>(entries.values()));
    }

    private static boolean isAsked(DescribeConfigsResource asked, String key) {
        return asked.configurationKeys() == null || asked.configurationKeys().contains(key);
    }

    /** What {@code kafka-configs.sh} has set wins over a file. */
    private boolean mayBeOverridden(String key, @Nullable DescribeConfigsResourceResult known) {
        return known == null || (known.configSource() == STATIC && overrides.containsKey(key));
    }

    /** As nothing but the agent's file has set it. */
    private DescribeConfigsResourceResult atStart(ConfigKey<?> key) {
        String override = overrides.get(key.name());
        DescribeConfigsResourceResult entry = new DescribeConfigsResourceResult()
                .setName(key.name())
                .setValue(override == null ? defaultOf(key) : override)
                .setConfigSource(override == null ? DEFAULT : STATIC)
                .setIsSensitive(false)
                .setConfigType(
                        DescribeConfigsResponse.ConfigType.valueOf(key.type().name())
                                .id())
                .setSynonyms(override == null ? List.of() : List.of(synonym(key.name(), override, STATIC)));
        addDefault(key, entry);
        return entry;
    }

    private void addDefault(ConfigKey<?> key, DescribeConfigsResourceResult entry) {
        String value = defaultOf(key);
        if (!withSynonyms) {
            entry.setSynonyms(List.of());
        } else if (value != null) {
            List<DescribeConfigsSynonym> synonyms = new ArrayList<>(entry.synonyms());
            synonyms.add(synonym(key.name(), value, DEFAULT));
            entry.setSynonyms(synonyms);
        }
    }

    private static DescribeConfigsSynonym synonym(String name, String value, byte source) {
        return new DescribeConfigsSynonym().setName(name).setValue(value).setSource(source);
    }

    private static @Nullable String defaultOf(ConfigKey<?> key) {
        return ConfigDef.convertToString(
                key.defaultValue(), ConfigDef.Type.valueOf(key.type().name()));
    }
}

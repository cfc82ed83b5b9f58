/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.sample.kafka;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Reconfigurable;
import org.apache.kafka.common.config.AbstractConfig;

/** A door that uses Kafka in each way that an edge does: a call, an inherited call, an interface, a field. */
public final class SampleHooks implements Reconfigurable {
    private static final class Config extends AbstractConfig {
        Config(AbstractConfig config) {
            super(new org.apache.kafka.common.config.ConfigDef(), config.originals());
        }

        Set<String> inherited() {
            return unused();
        }
    }

    public static String start(AbstractConfig config) {
        return new Config(config).inherited() + org.apache.kafka.common.config.TopicConfig.SEGMENT_BYTES_CONFIG;
    }

    @Override
    public Set<String> reconfigurableConfigs() {
        return Set.of();
    }

    @Override
    public void validateReconfiguration(Map<String, ?> configs) {}

    @Override
    public void reconfigure(Map<String, ?> configs) {}

    @Override
    public void configure(Map<String, ?> configs) {}
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.sample.kafka;

import java.util.Map;
import java.util.Set;
import org.apache.kafka.common.Reconfigurable;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;

/** A door that uses Kafka in each way that an edge does: a call, an inherited call, an interface, a field. */
public final class SampleHooks implements Reconfigurable {
    private static final class Config extends AbstractConfig {
        Config(AbstractConfig config) {
            super(new ConfigDef(), config.originals());
        }

        Set<String> inherited() {
            return unused();
        }
    }

    public static String start(AbstractConfig config, Reconfigurable other) {
        return new Config(config).inherited() + other.toString() + ConfigDef.Type.LIST;
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static io.evenkeel.tiered.api.DynamicTierSettings.FOLLOWER_PLACEMENT;

import io.evenkeel.tiered.api.Device;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/** The tier's one key among Kafka's own topic configs, on brokers and controllers. Stateless. */
public final class TopicPlacement {
    private static final String DOC =
            "Where brokers with the SSD tier that follow this topic's partitions write new segments: 'ssd' or 'hdd'."
                    + " Leaders always write to the SSD. When it is not set, each broker's own key of the same name"
                    + " applies. A change takes effect from the next segment on.";

    private TopicPlacement() {}

    /** Makes the key known: it is then validated, stored and described as Kafka's own are. */
    public static void define(ConfigDef topicConfigs) {
        ConfigDef.ValidString device =
                ConfigDef.ValidString.in(FOLLOWER_PLACEMENT.choices().toArray(String[]::new));
        topicConfigs.define(
                FOLLOWER_PLACEMENT.name(),
                ConfigDef.Type.STRING,
                null,
                ConfigDef.LambdaValidator.with(
                        (name, value) -> {
                            if (value != null) {
                                device.ensureValid(name, value);
                            }
                        },
                        device::toString),
                ConfigDef.Importance.MEDIUM,
                DOC);
    }

    /** What a topic wants, or null when it leaves it to the broker. */
    static @Nullable Device of(AbstractConfig topicConfig) {
        String placement = topicConfig.getString(FOLLOWER_PLACEMENT.name());
        return placement == null ? null : FOLLOWER_PLACEMENT.read(placement);
    }
}

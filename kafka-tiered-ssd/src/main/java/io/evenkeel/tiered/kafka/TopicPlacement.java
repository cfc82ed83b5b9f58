/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DynamicTierSettings;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.jspecify.annotations.Nullable;

/** The tier's one key among Kafka's own topic configs, on brokers and controllers. Stateless. */
public final class TopicPlacement {
    private static final String DOC =
            "Where new segments of this topic go on brokers with the SSD tier that follow its "
                    + "partitions: 'ssd' or 'hdd'. Leaders always write to the SSD. When it is not set, each broker's own key of "
                    + "the same name holds. A change holds from the next segment on.";

    private TopicPlacement() {}

    /** Makes the key known: it is then validated, stored and described as Kafka's own are. */
    public static void define(ConfigDef topicConfigs) {
        ConfigDef.ValidString device = TieredSsdConfig.oneOf(Device.values());
        topicConfigs.define(
                DynamicTierSettings.FOLLOWER_PLACEMENT,
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
        String placement = topicConfig.getString(DynamicTierSettings.FOLLOWER_PLACEMENT);
        return placement == null ? null : TieredSsdConfig.valueOf(Device.class, placement);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.tiered.api.Device;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopicPlacementTest {
    private static final String KEY = "tiered.ssd.follower.placement";

    @Test
    void aTopicWithoutAWishLeavesItToTheBroker() {
        assertThat(placement(Map.of())).isNull();
    }

    @Test
    void aTopicsWishIsRead() {
        assertThat(placement(Map.of(KEY, "hdd"))).isEqualTo(Device.HDD);
        assertThat(placement(Map.of(KEY, "ssd"))).isEqualTo(Device.SSD);
    }

    @Test
    void anotherValueIsRefused() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> placement(Map.of(KEY, "tape")))
                .withMessageContaining(KEY)
                .withMessageContaining("tape")
                .withMessageContaining("ssd, hdd");
    }

    private static @Nullable Device placement(Map<String, String> topic) {
        ConfigDef definition = new ConfigDef();
        TopicPlacement.define(definition);
        return TopicPlacement.of(new AbstractConfig(definition, topic, false));
    }
}

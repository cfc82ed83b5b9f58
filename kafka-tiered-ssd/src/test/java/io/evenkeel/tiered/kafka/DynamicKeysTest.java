/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.util.stream.Collectors.mapping;
import static java.util.stream.Collectors.partitioningBy;
import static java.util.stream.Collectors.toList;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.core.ConfigKey;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DynamicKeysTest {
    @Test
    void oursArePickedOut() {
        Properties configs = properties("tiered.ssd.mode", "paused");
        configs.setProperty("log.cleaner.threads", "2");
        assertThat(TieredSsdConfig.keys().checkedChange(configs, (key, value) -> false))
                .isEqualTo(Map.of("tiered.ssd.mode", "paused"));
        assertThat(TieredSsdConfig.keys().dynamicIn(configs)).isEqualTo(Map.of("tiered.ssd.mode", "paused"));
    }

    @Test
    void aTypoIsAnsweredWithTheNearestKey() {
        assertRefused("tiered.ssd.mod", "paused", "Unknown key tiered.ssd.mod=paused; did you mean tiered.ssd.mode?");
    }

    @ParameterizedTest
    @CsvSource({"tiered.ssd.dirs,/mnt", "tiered.ssd.capacity.bytes,1", "tiered.ssd.on.missing,truncate"})
    void aStaticKeyNeedsARestart(String key, String value) {
        assertRefused(
                key,
                value,
                key + " cannot be changed while the broker runs: set it in server.properties and restart the broker.");
        assertThat(TieredSsdConfig.keys().dynamicIn(properties(key, value))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "tiered.ssd.mode,off",
        "tiered.ssd.high.watermark.ratio,much",
        "tiered.ssd.copy.interval.ms,1s",
        "tiered.ssd.follower.placement,SSD"
    })
    void aValueOfAnotherTypeIsRefused(String key, String value) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> TieredSsdConfig.keys().checkedChange(properties(key, value), (any, other) -> false))
                .withMessageContaining(key)
                .withMessageContaining(value);
    }

    @Test
    void everyKeyIsEitherStaticOrDynamic() {
        Map<Boolean, List<String>> byDynamic = TieredSsdConfig.keys().all().stream()
                .collect(partitioningBy(ConfigKey::isDynamic, mapping(ConfigKey::name, toList())));
        assertThat(byDynamic.get(false))
                .containsExactlyInAnyOrder(
                        "tiered.ssd.capacity.bytes",
                        "tiered.ssd.cold.read.buffer.bytes",
                        "tiered.ssd.cold.read.enable",
                        "tiered.ssd.dirs",
                        "tiered.ssd.on.missing");
        assertThat(byDynamic.get(true))
                .containsExactlyInAnyOrder(
                        "tiered.ssd.cold.read.bytes.per.second",
                        "tiered.ssd.cold.read.client.bytes.per.second",
                        "tiered.ssd.copy.bytes.per.second",
                        "tiered.ssd.copy.interval.ms",
                        "tiered.ssd.copy.min.bytes.per.second",
                        "tiered.ssd.excluded.topics",
                        "tiered.ssd.follower.placement",
                        "tiered.ssd.high.watermark.ratio",
                        "tiered.ssd.low.watermark.ratio",
                        "tiered.ssd.mode");
    }

    private static void assertRefused(String key, String value, String message) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> TieredSsdConfig.keys().checkedChange(properties(key, value), (any, other) -> false))
                .withMessage(message);
    }

    private static Properties properties(String key, String value) {
        Properties properties = new Properties();
        properties.setProperty(key, value);
        return properties;
    }
}

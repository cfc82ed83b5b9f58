/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.api.TopicFilter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TieredSsdConfigTest {
    private static Map<String, String> valid() {
        Map<String, String> config = new HashMap<>();
        config.put("log.dirs", "/hdd1,/hdd2");
        config.put("tiered.ssd.dirs", "/ssd1, /ssd2/");
        config.put("tiered.ssd.capacity.bytes", "1000000");
        return config;
    }

    @Test
    void defaults() {
        assertThat(TieredSsdConfig.parse(valid()))
                .isEqualTo(new TierSettings(
                        List.of(Path.of("/ssd1"), Path.of("/ssd2")),
                        0,
                        1_000_000,
                        OnMissing.FAIL,
                        128 << 20,
                        new DynamicTierSettings(
                                TierMode.ON,
                                0.9,
                                0.8,
                                DynamicTierSettings.FOLLOW_INFLOW,
                                5 << 20,
                                1000,
                                DynamicTierSettings.UNLIMITED,
                                DynamicTierSettings.UNLIMITED,
                                Device.SSD,
                                new TopicFilter(List.of()))));
    }

    @Test
    void offWithoutDirs() {
        assertThat(TieredSsdConfig.parse(Map.of("log.dirs", "/hdd"))).isNull();
    }

    @Test
    void coldReadsNeedNoSsd() {
        assertThat(TieredSsdConfig.parse(Map.of("log.dirs", "/hdd", "tiered.ssd.cold.read.enable", "true")))
                .extracting(TierSettings::ssdDirs, TierSettings::coldReadBufferBytes)
                .containsExactly(List.of(), 128L << 20);
    }

    @Test
    void coldReadsCanBeSwitchedOff() {
        Map<String, String> config = valid();
        config.put("tiered.ssd.cold.read.enable", "false");
        assertThat(TieredSsdConfig.parse(config))
                .extracting(TierSettings::coldReadBufferBytes)
                .isEqualTo(0L);
        assertThatThrownBy(() -> TieredSsdConfig.parse(Map.of("tiered.ssd.cold.read.enable", "false")))
                .isInstanceOf(ConfigException.class);
    }

    /** No SSD is touched, and reads are as in stock unless they are switched on. */
    @Test
    void inTheShadowTheSsdsAreOnlyImagined() {
        Map<String, String> config = valid();
        config.put("tiered.ssd.mode", "shadow");
        assertThat(TieredSsdConfig.parse(config))
                .extracting(TierSettings::ssdDirs, TierSettings::shadowSsds, TierSettings::coldReadBufferBytes)
                .containsExactly(List.of(), 2, 0L);
        assertThat(TieredSsdConfig.announcement(config))
                .startsWith("The SSD tier is in the shadow, and moves nothing: tiered.ssd.dirs=");
        config.put("tiered.ssd.cold.read.enable", "true");
        assertThat(TieredSsdConfig.parse(config))
                .extracting(TierSettings::coldReadBufferBytes)
                .isEqualTo(128L << 20);
        config.remove("tiered.ssd.capacity.bytes");
        assertThatThrownBy(() -> TieredSsdConfig.parse(config))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("tiered.ssd.capacity.bytes");
    }

    @Test
    void otherKeysWithoutDirsAreAMistake() {
        Map<String, String> config = valid();
        config.remove("tiered.ssd.dirs");
        assertThatThrownBy(() -> TieredSsdConfig.parse(config))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("are set (tiered.ssd.capacity.bytes) but tiered.ssd.dirs is not");
    }

    @Test
    void aFloorAboveTheCeilingIsImpossible() {
        Map<String, String> config = valid();
        config.put("tiered.ssd.copy.bytes.per.second", "1000");
        assertThatThrownBy(() -> TieredSsdConfig.parse(config))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("tiered.ssd.copy.min.bytes.per.second")
                .hasMessageContaining("must not exceed tiered.ssd.copy.bytes.per.second=1000");
    }

    @ParameterizedTest
    @CsvSource({
        "tiered.ssd.dir, /ssd, tiered.ssd.dirs",
        "tiered.ssd.capacity, 5, tiered.ssd.capacity.bytes",
        "tiered.ssd.high.watermark, 0.5, tiered.ssd.high.watermark.ratio",
        "tiered.ssd.copy.bytes.per.sec, 5, tiered.ssd.copy.bytes.per.second",
    })
    void typoNamesTheNearestKey(String typo, String value, String meant) {
        Map<String, String> config = valid();
        config.put(typo, value);
        assertThatThrownBy(() -> TieredSsdConfig.parse(config))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(typo + "=" + value)
                .hasMessageContaining("did you mean " + meant + "?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "tiered.ssd.dirs | ssd1 | absolute",
                "tiered.ssd.dirs | /ssd1,/ssd1 | =/ssd1,/ssd1: names a directory twice",
                "tiered.ssd.dirs | /ssd1,/ssd1/sub | inside another",
                "tiered.ssd.capacity.bytes | 0 | must be positive",
                "tiered.ssd.capacity.bytes | 10 GB | Not a number",
                "tiered.ssd.high.watermark.ratio | 1.1 | at most 1",
                "tiered.ssd.low.watermark.ratio | 0 | above 0",
                "tiered.ssd.low.watermark.ratio | 0.95 | must be below tiered.ssd.high.watermark.ratio=0.9",
                "tiered.ssd.copy.bytes.per.second | 0 | must be positive, or -1",
                "tiered.ssd.copy.interval.ms | 0 | must be positive",
                "tiered.ssd.copy.min.bytes.per.second | 0 | must be positive",
                "tiered.ssd.on.missing | ignore | fail, truncate",
                "tiered.ssd.mode | off | on, paused, drain",
                "tiered.ssd.follower.placement | tape | ssd, hdd",
                "tiered.ssd.excluded.topics | logs-[ | Unclosed",
            })
    void impossibleValueNamesItsKey(String key, String value, String what) {
        Map<String, String> config = valid();
        config.put(key, value);
        assertThatThrownBy(() -> TieredSsdConfig.parse(config))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(key)
                .hasMessageContaining(what);
    }
}

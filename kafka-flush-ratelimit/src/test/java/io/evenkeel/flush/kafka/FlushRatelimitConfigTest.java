/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.FlushSettings;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlushRatelimitConfigTest {
    private static final String ENABLE = "flush.ratelimit.enable";
    private static final String INTERVAL = "log.flush.interval.messages";

    @Test
    void defaults() {
        assertThat(FlushRatelimitConfig.settings(Map.of("log.dirs", "/hdd")))
                .isEqualTo(new FlushSettings(67_108_864, 30_000, new FlushRates(2_097_152, FlushRates.UNLIMITED)));
    }

    @ParameterizedTest
    @CsvSource({"50000, true", "2, true", "1, false"})
    void isOnWhereACountWouldFlush(String messages, boolean on) {
        FlushRatelimitConfig.Choice choice = FlushRatelimitConfig.choice(Map.of(INTERVAL, messages));
        assertThat(choice.isOn()).isEqualTo(on);
        assertThat(choice.why()).isEqualTo(INTERVAL + "=" + messages + " is set");
    }

    @Test
    void isOffWhereNobodyAskedForIt() {
        assertThat(FlushRatelimitConfig.choice(Map.of()).isOn()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void theSwitchHasTheLastWord(boolean enable) {
        assertThat(FlushRatelimitConfig.choice(Map.of(ENABLE, "" + enable)).isOn())
                .isEqualTo(enable);
        assertThat(FlushRatelimitConfig.choice(Map.of(ENABLE, "" + enable, INTERVAL, "50000"))
                        .isOn())
                .isEqualTo(enable);
    }

    @Test
    void keysThatWouldDoNothingAreAnError() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> FlushRatelimitConfig.choice(Map.of("flush.ratelimit.max.unflushed.ms", "100")))
                .withMessageContaining("so it would be off; set flush.ratelimit.enable=true, or remove the others");
    }

    @Test
    void aTypoIsAnsweredWithTheNearestKey() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> FlushRatelimitConfig.settings(Map.of("flush.ratelimit.max.unflushed.byte", "1")))
                .withMessage("Unknown key flush.ratelimit.max.unflushed.byte=1; did you mean "
                        + "flush.ratelimit.max.unflushed.bytes?");
    }

    @ParameterizedTest
    @CsvSource({
        "flush.ratelimit.max.unflushed.bytes, 5",
        "flush.ratelimit.max.unflushed.ms, 1s",
        "flush.ratelimit.segment.bytes.per.second, 0",
        "flush.ratelimit.device.bytes.per.second, 0",
        "flush.ratelimit.enable, yes"
    })
    void whatIsImpossibleIsRefused(String key, String value) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> FlushRatelimitConfig.settings(Map.of(key, value)))
                .withMessageContaining(key)
                .withMessageContaining(value);
    }

    @ParameterizedTest
    @CsvSource({"flush.ratelimit.max.unflushed.bytes", "flush.ratelimit.max.unflushed.ms", "flush.ratelimit.enable"})
    void onlyRatesChangeWhileTheBrokerRuns(String key) {
        Properties change = new Properties();
        change.setProperty("flush.ratelimit.segment.bytes.per.second", "7");
        assertThat(FlushRatelimitConfig.keys().checkedChange(change)).hasSize(1);
        change.setProperty(key, "100000");
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> FlushRatelimitConfig.keys().checkedChange(change))
                .withMessageStartingWith(key + " cannot be changed while the broker runs");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.flush.FlushSettings;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlushRatelimitConfigTest {
    private static final String ENABLE = "flush.ratelimit.enable";
    private static final String SHADOW = "flush.ratelimit.shadow.enable";
    private static final String INTERVAL = "log.flush.interval.messages";

    @Test
    void defaults() {
        assertThat(FlushRatelimitConfig.atStart(Map.of("log.dirs", "/hdd")).settings())
                .isEqualTo(new FlushSettings(67_108_864, 30_000, 2_097_152, FlushSettings.UNLIMITED, 100, true, false));
    }

    @ParameterizedTest
    @CsvSource({"50000, true", "1000, true", "999, false", "1, false", "9223372036854775807, false"})
    void isOnWhereACountSpreadsTheLoadOfFlushes(String messages, boolean on) {
        FlushChoice choice = FlushRatelimitConfig.atStart(Map.of(INTERVAL, messages));
        assertThat(choice.isOn()).isEqualTo(on);
        assertThat(choice.why()).isEqualTo(INTERVAL + "=" + messages + " is set");
    }

    @Test
    void isOffWhereNobodyAskedForIt() {
        assertThat(FlushRatelimitConfig.atStart(Map.of()).isOn()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"true", "false"})
    void theSwitchHasTheLastWord(boolean enable) {
        assertThat(FlushRatelimitConfig.atStart(Map.of(ENABLE, "" + enable)).isOn())
                .isEqualTo(enable);
        assertThat(FlushRatelimitConfig.atStart(Map.of(ENABLE, "" + enable, INTERVAL, "50000"))
                        .isOn())
                .isEqualTo(enable);
    }

    /** Also where nobody has asked for flushes by rate: to see what they would be is the purpose. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void theShadowFlushesNothingWhateverTheSwitchSays(String enable) {
        FlushChoice choice = FlushRatelimitConfig.atStart(Map.of(SHADOW, "true", ENABLE, enable));
        assertThat(choice.isOn()).isTrue();
        assertThat(choice.flushes()).isFalse();
        assertThat(choice.announcement())
                .startsWith("Flushing by rate is in the shadow: flush.ratelimit.shadow.enable=true is set. The gauges");
        assertThat(FlushRatelimitConfig.atStart(Map.of(SHADOW, "true")).isOn()).isTrue();
        assertThat(FlushRatelimitConfig.atStart(Map.of(ENABLE, "true")).hasModeOf(choice))
                .isFalse();
    }

    @Test
    void whatTheLogSaysHasTheKeysAsAnOperatorWritesThem() {
        assertThat(FlushRatelimitConfig.atStart(Map.of(INTERVAL, "50000")).announcement())
                .startsWith("Flushing by rate is on: log.flush.interval.messages=50000 is set. ")
                .contains(" flush.ratelimit.max.unflushed.bytes=67108864, flush.ratelimit.max.unflushed.ms=30000, ")
                .doesNotContain("[");
        assertThat(FlushRatelimitConfig.atStart(Map.of()).announcement())
                .isEqualTo("Flushing by rate is off: log.flush.interval.messages is not set, so there is nothing to"
                        + " replace.");
    }

    @Test
    void keysThatWouldDoNothingAreAnError() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> FlushRatelimitConfig.atStart(Map.of("flush.ratelimit.max.unflushed.ms", "100")))
                .withMessageContaining("so it would be off; set flush.ratelimit.enable=true, or remove the others");
    }

    @Test
    void aTypoIsAnsweredWithTheNearestKey() {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> FlushRatelimitConfig.atStart(Map.of("flush.ratelimit.max.unflushed.byte", "1")))
                .withMessage("Unknown key flush.ratelimit.max.unflushed.byte=1; did you mean "
                        + "flush.ratelimit.max.unflushed.bytes?");
    }

    @ParameterizedTest
    @CsvSource({
        "flush.ratelimit.max.unflushed.bytes, 5",
        "flush.ratelimit.max.unflushed.ms, 1s",
        "flush.ratelimit.segment.bytes.per.second, 0",
        "flush.ratelimit.device.bytes.per.second, 0",
        "flush.ratelimit.enable, yes",
        "flush.ratelimit.max.append.wait.ms, 60000"
    })
    void whatIsImpossibleIsRefused(String key, String value) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> FlushRatelimitConfig.atStart(Map.of(key, value)))
                .withMessageContaining(key)
                .withMessageContaining(value);
    }

    @Test
    void allChangesWhileTheBrokerRuns() {
        Properties change = new Properties();
        FlushRatelimitConfig.keys().all().forEach(key -> change.setProperty(key.name(), "100000"));
        change.setProperty("flush.ratelimit.enable", "false");
        change.setProperty(SHADOW, "true");
        change.setProperty("flush.ratelimit.max.append.wait.ms", "5");
        change.setProperty("flush.ratelimit.syncfs.enable", "false");
        assertThat(FlushRatelimitConfig.keys().checkedChange(change, (key, value) -> false))
                .hasSize(8);
    }

    /** The broker's own interval decides again when the operator has deleted the dynamic switch. */
    @Test
    void theIntervalAtTheStartDecidesLaterToo() {
        assertThat(FlushRatelimitConfig.later(Map.of(), "50000").isOn()).isTrue();
        assertThat(FlushRatelimitConfig.later(Map.of(ENABLE, "false"), "50000").isOn())
                .isFalse();
        assertThat(FlushRatelimitConfig.later(Map.of("flush.ratelimit.max.unflushed.ms", "100"), null)
                        .isOn())
                .isFalse();
    }
}

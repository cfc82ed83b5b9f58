/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PurgatoryWheelConfigTest {
    @Test
    void defaults() {
        assertThat(PurgatoryWheelConfig.parse(Map.of())).isEqualTo(new PurgatoryWheelConfig(true, 1, 512));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(PurgatoryWheelConfig.parse(Map.of(
                        "purgatory.wheel.enable", "false",
                        "purgatory.wheel.tick.ms", " 1000 ",
                        "purgatory.wheel.size", "4096")))
                .isEqualTo(new PurgatoryWheelConfig(false, 1000, 4096));
    }

    @ParameterizedTest
    @CsvSource({
        "purgatory.wheel.enabled, true, purgatory.wheel.enable",
        "purgatory.wheel.tick, 1, purgatory.wheel.tick.ms",
        "purgatory.wheel.sice, 64, purgatory.wheel.size",
    })
    void aTypoNamesTheNearestKey(String typo, String value, String meant) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PurgatoryWheelConfig.parse(Map.of(typo, value)))
                .withMessage("Unknown key " + typo + "=" + value + "; did you mean " + meant + "?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "purgatory.wheel.enable | yes | must be true or false",
                "purgatory.wheel.enable | '' | must be true or false",
                "purgatory.wheel.enable | ${env:WHEEL} | must be true or false",
                "purgatory.wheel.tick.ms | 0 | must be a whole number, 1 to 1000",
                "purgatory.wheel.tick.ms | 1001 | must be a whole number, 1 to 1000",
                "purgatory.wheel.tick.ms | 1ms | must be a whole number, 1 to 1000",
                "purgatory.wheel.size | 1 | must be a whole number, 2 to 4096",
                "purgatory.wheel.size | 8192 | must be a whole number, 2 to 4096",
                "purgatory.wheel.size | 500 | must be a power of two, 2 to 4096",
            })
    void anImpossibleValueNamesItsKey(String key, String value, String what) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PurgatoryWheelConfig.parse(Map.of(key, value)))
                .withMessageContaining(key + "=" + value)
                .withMessageContaining(what);
    }

    @ParameterizedTest
    @CsvSource({"1, 20, 1, 32", "1, 3, 1, 4", "0, 0, 1, 2", "5000, 100000, 1000, 4096", "7, 64, 7, 64"})
    void requestedValuesAreBroughtIntoRange(long tickMs, int size, int nearTickMs, int nearSize) {
        assertThat(PurgatoryWheelConfig.near(tickMs, size))
                .isEqualTo(new PurgatoryWheelConfig(true, nearTickMs, nearSize));
    }
}

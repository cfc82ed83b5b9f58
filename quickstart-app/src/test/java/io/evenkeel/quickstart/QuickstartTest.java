/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuickstartTest {
    @Test
    void optionsHaveDefaults() {
        assertThat(Options.parse(List.of()))
                .isEqualTo(new Options(
                        false,
                        false,
                        false,
                        60,
                        12_000_000,
                        19092,
                        Path.of("target/quickstart").toAbsolutePath()));
        assertThat(Options.parse(List.of("--stock", "--keep", "--seconds", "30", "--dir", "/d")))
                .isEqualTo(new Options(true, true, false, 30, 12_000_000, 19092, Path.of("/d")));
    }

    @ParameterizedTest
    @CsvSource({
        "--speed, unknown option --speed",
        "--seconds, --seconds needs a value",
        "--seconds=5, unknown option --seconds=5",
    })
    void wrongOptionIsNamed(String option, String message) {
        assertThatThrownBy(() -> Options.parse(List.of(option))).hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource({"--seconds, 5", "--port, 80", "--rate, fast"})
    void wrongValueIsNamed(String option, String value) {
        assertThatThrownBy(() -> Options.parse(List.of(option, value)))
                .hasMessageContaining(option)
                .hasMessageContaining("not " + value);
    }

    @Test
    void tooLittleToSeeAnythingIsRefused() {
        assertThatThrownBy(() -> Options.parse(List.of("--seconds", "20", "--rate", "9")))
                .hasMessageContaining("less than 200 MB");
    }

    @Test
    void ssdHoldsTheActiveSegmentsAndLessThanHalfOfAllThatIsProduced() {
        Options least = Options.parse(List.of("--seconds", "20", "--rate", "10"));
        assertThat(least.ssdCapacityBytes())
                .isGreaterThan(2L * Quickstart.PARTITIONS * Quickstart.SEGMENT_BYTES)
                .isLessThan(least.totalBytes() / 2);
    }

    /** On a crowded machine, all that has been produced after a third of the time fits on the SSD. */
    @Test
    void laggardStartsWhenItHasToReadFromTheHdd() {
        Options patched = Options.parse(List.of("--seconds", "60"));
        assertThat(patched.laggardIsDue(19, true)).isFalse();
        assertThat(patched.laggardIsDue(20, true)).isTrue();
        assertThat(patched.laggardIsDue(20, false)).isFalse();
        assertThat(patched.laggardIsDue(60, false)).as("so that it reads all").isTrue();
        assertThat(Options.parse(List.of("--stock", "--seconds", "60")).laggardIsDue(20, false))
                .isTrue();
    }

    @Test
    void eventIsMadeAgainAlikeAndEveryDifferenceIsSeen() {
        byte[] value = Events.value(3, 42);
        assertThat(new String(value, StandardCharsets.US_ASCII))
                .startsWith("{\"shop\":3,\"event\":42,")
                .endsWith("}]}");
        assertThat(Events.value(3, 42)).isEqualTo(value);
        assertThat(Events.value(2, 42)).isNotEqualTo(value);
        assertThat(Events.isUnchanged(new ConsumerRecord<>("t", 3, 42, Events.key(42), value)))
                .isTrue();
        assertThat(Events.isUnchanged(new ConsumerRecord<>("t", 3, 43, Events.key(43), value)))
                .isFalse();
        value[100]++;
        assertThat(Events.isUnchanged(new ConsumerRecord<>("t", 3, 42, Events.key(42), value)))
                .isFalse();
    }
}

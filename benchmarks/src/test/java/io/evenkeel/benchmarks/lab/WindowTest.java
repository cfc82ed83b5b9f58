/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The measured time and its parts. */
class WindowTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void partsFillTheWindow() {
        Window window = new Window(-7 * SECOND, 5 * SECOND, 50 * SECOND);
        assertThat(window.parts(20))
                .containsExactly(
                        new Window(-7 * SECOND, 5 * SECOND, 25 * SECOND),
                        new Window(-7 * SECOND, 25 * SECOND, 50 * SECOND));
    }

    @Test
    void aWindowThatIsShorterThanAPartIsOne() {
        Window window = new Window(0, 1, 2 * SECOND);
        assertThat(window.parts(20)).containsExactly(window);
    }

    @Test
    void eachInstantOfTheWindowIsInOnePart() {
        Window window = new Window(0, SECOND, 61 * SECOND);
        for (long nanos = 0; nanos < 62 * SECOND; nanos += SECOND / 2) {
            long instant = nanos;
            assertThat(window.parts(20).stream().filter(part -> part.counts(instant)))
                    .hasSize(window.counts(instant) ? 1 : 0);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BrokerConfigTest {
    /** At random, two of as many would be the same. */
    private static final int PORTS = 1000;

    @Test
    void noPortIsGivenTwice() {
        assertThat(IntStream.range(0, PORTS).map(i -> BrokerConfig.freePort()).boxed())
                .doesNotHaveDuplicates();
    }

    @Test
    void jvmsSideBySideDoNotShareAPort() {
        assertThat(inFork("1")).isBetween(12_000, 16_999);
        assertThat(inFork("4")).as("below the ephemeral ports").isBetween(27_000, 31_999);
    }

    private static int inFork(String number) {
        String before = System.setProperty("fork", number);
        try {
            return BrokerConfig.freePort();
        } finally {
            if (before == null) {
                System.clearProperty("fork");
            } else {
                System.setProperty("fork", before);
            }
        }
    }
}

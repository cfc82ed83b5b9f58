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
}

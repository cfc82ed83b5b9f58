/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UsageTest {
    @Test
    void theMachineWasShortOfMemoryInAnyZone() {
        assertThat(Usage.memoryShortages(
                        "pgfault 12\nallocstall_dma 0\nallocstall_normal 1053\nallocstall_movable 194\n"))
                .isEqualTo(1247);
    }
}

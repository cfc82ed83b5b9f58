/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SsdRoomTest {
    private static final long GIB = 1L << 30;

    @Test
    void saysWhatFitsAndWhatIsReserved() {
        assertThat(new SsdRoom(200 * GIB, GIB, 4000).text())
                .isEqualTo("The SSDs hold 204800 MiB: 200 segments of 1024 MiB (log.segment.bytes). For the active"
                        + " segments of the 4000 partitions here, 4000 MiB are reserved while they are quiet, and up"
                        + " to 256000 MiB when all are busy.");
    }

    @Test
    void saysWhenNotEvenQuietPartitionsFit() {
        assertThat(new SsdRoom(3 * GIB, GIB, 4000).text()).endsWith("Give the tier more capacity, or exclude topics.");
    }
}

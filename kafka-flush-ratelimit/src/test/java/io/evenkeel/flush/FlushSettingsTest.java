/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlushSettingsTest {
    @ParameterizedTest
    @CsvSource({
        "65535, 30000, 1, -1, flush.ratelimit.max.unflushed.bytes=65535: must be at least 65536",
        "-1, 30000, 1, -1, flush.ratelimit.max.unflushed.bytes=-1: must be at least 65536",
        "65536, 9, 1, -1, flush.ratelimit.max.unflushed.ms=9: must be from 10 to 86400000",
        "65536, 86400001, 1, -1, flush.ratelimit.max.unflushed.ms=86400001: must be from 10 to 86400000",
        "65536, 30000, 0, -1, flush.ratelimit.segment.bytes.per.second=0: must be positive",
        "65536, 30000, 1, 0, 'flush.ratelimit.device.bytes.per.second=0: must be positive, or -1 for no ceiling'",
        "65536, 30000, 1, -2, 'flush.ratelimit.device.bytes.per.second=-2: must be positive, or -1 for no ceiling'",
    })
    void whatIsImpossibleIsRefusedByKeyAndValue(long bytes, long ms, long segment, long device, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FlushSettings(bytes, ms, segment, device, 0, true, false))
                .withMessage(message);
    }
}

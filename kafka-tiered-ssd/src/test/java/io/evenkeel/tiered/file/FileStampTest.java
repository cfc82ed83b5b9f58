/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FileStampTest {
    private static boolean same(long oneMicros, long otherMicros) {
        boolean same = new FileStamp(10, oneMicros).isSame(new FileStamp(10, otherMicros));
        assertThat(new FileStamp(10, otherMicros).isSame(new FileStamp(10, oneMicros)))
                .isEqualTo(same);
        return same;
    }

    @Test
    void aWholeSecondIsTheSameAsAnyTimeWithinIt() {
        assertThat(same(5_000_000, 5_999_999)).isTrue();
        assertThat(same(5_000_000, 6_000_001)).isFalse();
        assertThat(same(5_000_000, 4_999_999)).isFalse();
    }

    @Test
    void finerTimesHaveToBeEqual() {
        assertThat(same(5_123_456, 5_123_456)).isTrue();
        assertThat(same(5_123_456, 5_123_457)).isFalse();
        assertThat(new FileStamp(10, 7).isSame(new FileStamp(11, 7))).isFalse();
        assertThat(new FileStamp(10, 7).isSame(null)).isFalse();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import java.nio.charset.StandardCharsets;
import java.text.DecimalFormatSymbols;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What the names of a segment's files begin with: its base offset in 20 digits. Stateless.
 *
 * <p>Kafka asks for it several times for each segment that it loads, and makes a {@code NumberFormat} each time. That
 * takes more of a start than all that the tier adds to it.
 */
final class FileNamePrefix {
    private static final int DIGITS = 20;
    /** Stock writes the digits of the JVM's locale. */
    private static final boolean PLAIN = DecimalFormatSymbols.getInstance().getZeroDigit() == '0';

    private FileNamePrefix() {}

    /** Exactly as stock does; null where that would take more than digits. */
    static @Nullable String of(long baseOffset) {
        if (baseOffset < 0 || !PLAIN) {
            return null;
        }
        byte[] digits = new byte[DIGITS];
        Arrays.fill(digits, (byte) '0');
        long left = baseOffset;
        for (int i = DIGITS - 1; left > 0; i--) {
            digits[i] = (byte) ('0' + left % 10);
            left /= 10;
        }
        return new String(digits, StandardCharsets.ISO_8859_1);
    }
}

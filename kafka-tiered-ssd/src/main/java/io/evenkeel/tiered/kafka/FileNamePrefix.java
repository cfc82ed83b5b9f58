/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import java.nio.charset.StandardCharsets;
import java.text.DecimalFormatSymbols;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The beginning of the names of a segment's files: its base offset in 20 digits. Stateless.
 *
 * <p>Kafka asks for it several times for each segment that it loads, and makes a {@code NumberFormat} each time. That
 * takes longer than all that the tier adds to a start.
 */
final class FileNamePrefix {
    private static final int DIGITS = 20;
    /** Stock writes the digits of the JVM's locale. */
    private static final boolean PLAIN = DecimalFormatSymbols.getInstance().getZeroDigit() == '0';

    private FileNamePrefix() {}

    /** The same text as stock's; null where stock writes anything but plain digits. */
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

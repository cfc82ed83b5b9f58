/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds the config key that an operator meant by a mistyped one. Stateless. */
public final class NearestKey {
    private NearestKey() {}

    /**
     * The one of {@code validKeys} that is the fewest edits away from {@code typo}; of several the one that begins like
     * it for longest, then the first in alphabetical order.
     *
     * @throws IllegalArgumentException when {@code validKeys} is empty
     */
    public static String of(String typo, Collection<String> validKeys) {
        return validKeys.stream()
                .sorted()
                .min(Comparator.<String>comparingInt(key -> distance(typo.toLowerCase(Locale.ROOT), key))
                        .thenComparingInt(key -> -commonPrefix(typo, key)))
                .orElseThrow(() -> new IllegalArgumentException("no valid keys to compare with: " + typo));
    }

    private static int commonPrefix(String a, String b) {
        int length = 0;
        while (length < Math.min(a.length(), b.length()) && a.charAt(length) == b.charAt(length)) {
            length++;
        }
        return length;
    }

    /** Levenshtein's distance, one row at a time. */
    static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int substitute = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }
}

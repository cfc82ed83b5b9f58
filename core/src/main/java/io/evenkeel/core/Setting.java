/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

/** Checks of configured values. */
public final class Setting {
    private Setting() {}

    /**
     * Checks one rule about the value of a key.
     *
     * @throws IllegalArgumentException that names the key and the value, when the rule does not hold
     */
    public static void require(boolean holds, String key, Object value, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(key + "=" + value + ": " + rule);
        }
    }
}

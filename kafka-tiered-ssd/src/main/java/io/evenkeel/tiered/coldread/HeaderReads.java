/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

/**
 * Marks the threads that look for the position of an offset or a timestamp: they read headers, a few bytes each, and
 * the client is then sent the bytes behind them. Others read a file from end to end, and take nothing from the cold
 * reader's buffers. Stateless.
 */
public final class HeaderReads {
    private static final ThreadLocal<Boolean> ON = ThreadLocal.withInitial(() -> false);

    private HeaderReads() {}

    public static void begin() {
        ON.set(true);
    }

    public static void end() {
        ON.set(false);
    }

    /** Whether this thread does. */
    public static boolean isOn() {
        return ON.get();
    }
}

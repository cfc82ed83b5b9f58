/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

/**
 * Marks the threads that look for the position of an offset or a timestamp: they read headers, a few bytes each, and
 * the client is then sent the bytes behind them. Others read a file from end to end, and take nothing from the cold
 * reader's buffers. Each thread sees its own marks.
 */
public final class HeaderReads {
    private static final ThreadLocal<HeaderReads> MINE = ThreadLocal.withInitial(HeaderReads::new);

    private boolean isOn;
    private boolean neededHdd;

    private HeaderReads() {}

    public static void begin() {
        MINE.get().isOn = true;
    }

    public static void end() {
        MINE.get().isOn = false;
    }

    /** Whether this thread reads headers. */
    public static boolean isOn() {
        return MINE.get().isOn;
    }

    /** This thread needs bytes of an HDD, from a chunk or from the disk. */
    static void needHdd() {
        MINE.get().neededHdd = true;
    }

    /** Whether this thread has needed an HDD since it was asked last. */
    public static boolean takeNeededHdd() {
        HeaderReads mine = MINE.get();
        boolean taken = mine.neededHdd;
        mine.neededHdd = false;
        return taken;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

/**
 * Marks the threads that look for the position of an offset or a timestamp: they read headers, a few bytes each, and
 * the client is then sent the bytes behind them. Others read a file from end to end, and take nothing from the cold
 * reader's buffers. Each thread sees its own marks.
 */
public final class HeaderReads {
    /** What a thread has had to do with an HDD. */
    public enum HddUse {
        NONE,
        /** It got bytes that were read from one. */
        MET,
        /** It waited for one. */
        WAITED
    }

    private static final ThreadLocal<HeaderReads> MINE = ThreadLocal.withInitial(HeaderReads::new);

    private boolean isOn;
    private HddUse use = HddUse.NONE;

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

    /** This thread gets bytes that were read from an HDD. */
    static void meetsHdd() {
        HeaderReads mine = MINE.get();
        if (mine.use == HddUse.NONE) {
            mine.use = HddUse.MET;
        }
    }

    /** This thread waits for an HDD. */
    static void waits() {
        MINE.get().use = HddUse.WAITED;
    }

    /** What this thread has had to do with an HDD since it was asked last. */
    public static HddUse takeUse() {
        HeaderReads mine = MINE.get();
        HddUse taken = mine.use;
        mine.use = HddUse.NONE;
        return taken;
    }
}

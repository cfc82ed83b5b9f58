/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool.preflight;

/**
 * The result of one check. Immutable.
 *
 * @param subject what was checked: a directory, or a word
 * @param text what was found, and what to do
 */
public record Finding(Level level, String subject, String text) {
    /** How bad it is. */
    public enum Level {
        OK,
        /** The broker starts, but not as well as it could. */
        WARNING,
        /** The broker would not start, or without the tier. */
        WRONG
    }

    static Finding ok(String subject, String text) {
        return new Finding(Level.OK, subject, text);
    }

    static Finding warning(String subject, String text) {
        return new Finding(Level.WARNING, subject, text);
    }

    static Finding wrong(String subject, String text) {
        return new Finding(Level.WRONG, subject, text);
    }
}

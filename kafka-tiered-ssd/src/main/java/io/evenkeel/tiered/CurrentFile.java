/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.file.BackingFile;

/**
 * The backing file that a segment's channel uses now, and the pins that keep it open for readers. Thread safe for
 * readers; one thread at a time may replace the file.
 */
final class CurrentFile {
    private volatile BackingFile file;

    CurrentFile(BackingFile file) {
        this.file = file;
    }

    BackingFile get() {
        return file;
    }

    /** Returns the current file, pinned; the caller unpins it. */
    BackingFile pin() {
        while (true) {
            BackingFile current = file;
            if (current.tryPin()) {
                return current;
            }
        }
    }

    /**
     * Installs {@code next}, then retires the present file, in this order (C3).
     *
     * @return the retired file
     */
    BackingFile replace(BackingFile next) {
        BackingFile old = file;
        file = next;
        old.retire();
        return old;
    }
}

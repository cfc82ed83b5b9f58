/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

/**
 * The backing file that a segment's channel uses now, and the pins that keep it open for readers. Thread safe for
 * readers; one thread at a time may replace the file.
 */
public final class CurrentFile {
    private volatile BackingFile file;

    public CurrentFile(BackingFile file) {
        this.file = file;
    }

    public BackingFile get() {
        return file;
    }

    /** Returns the current file, pinned; the caller unpins it. */
    public BackingFile pin() {
        while (true) {
            BackingFile current = file;
            if (current.tryPin()) {
                return current;
            }
        }
    }

    /**
     * Installs {@code next}, then retires the present file, in this order: a reader that fails to pin the retired file
     * finds the new one.
     *
     * @return the retired file
     */
    public BackingFile replace(BackingFile next) {
        BackingFile old = file;
        file = next;
        old.retire();
        return old;
    }
}

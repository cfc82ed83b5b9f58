/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import java.nio.file.Path;

/**
 * An identity file that a start writes. Immutable.
 *
 * @param dir the SSD directory or log directory that it is for
 */
record IdentityWrite(Path dir, IdentityFile file, Kind kind) {
    /** What the file changes. */
    enum Kind {
        /** An empty directory becomes an SSD of the tier. */
        CLAIM,
        /** The same; some log directory remembers another SSD at this path. */
        REPLACE,
        /** The SSD has missed a start: its file must be renewed. */
        CATCH_UP,
        /** The SSD took part in the last start. When it is full, the broker can start without a new generation. */
        ADVANCE,
        /** A log directory. When it cannot be written to, Kafka handles that, and its old file is good enough. */
        LOG_DIR;

        boolean isOnSsd() {
            return this != LOG_DIR;
        }
    }

    @Override
    public String toString() {
        return kind + " " + dir + " " + file;
    }
}

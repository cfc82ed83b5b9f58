/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import io.evenkeel.flush.UnflushedLog;
import java.io.IOException;
import java.nio.file.Path;

/** A log as its worker sees it: something with unflushed bytes that can be flushed. Thread safe. */
public interface PacedLog {
    /** The answer of {@link #flush} when there was nothing to flush. */
    long NOTHING = -1;

    /** The partition and its directory, for messages. */
    String name();

    /** The bytes of this log that are not flushed yet. */
    UnflushedLog unflushed();

    /** From 0 to 1, and always the same for one log: how much earlier than others this log is due. */
    double jitter();

    /** The file of the newest segment. It may be deleted at any time. */
    Path activeFile();

    /**
     * Flushes everything that the log has now. Waits for the disk.
     *
     * @return the flushed bytes that count; or {@link #NOTHING}
     * @throws IOException when the flush failed and the log directory is offline
     * @throws RuntimeException when the flush failed for a reason that is not the disk's
     */
    long flush() throws IOException;

    /**
     * Ends the pacing of this log: no new flush begins, and waiting appends go on. Does not wait for a running flush.
     */
    void retire();
}

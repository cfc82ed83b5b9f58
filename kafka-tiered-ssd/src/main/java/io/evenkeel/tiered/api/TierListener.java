/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Told what an operator may want to know. Called from broker threads and workers; must be quick and must not throw. */
public interface TierListener {
    /** A new segment went to the HDD although it belongs on the SSD. */
    void placedOnHdd(Path segment, String reason);

    /** The SSD was full in the middle of an append: the segment has moved to the HDD, and the append went on there. */
    void spilled(Path segment, long bytes);

    /** An SSD has failed to read or to force a file; nothing new goes there until the broker is restarted. */
    void ssdSuspect(Path ssdDir, Path file, IOException failure);

    /**
     * A segment cannot be read where it is, and there is no other copy of it, or its name cannot be made durable: its
     * log directory has failed.
     */
    void storageError(Path logDir, Path segment, IOException failure);

    /** Nothing is left on the SSDs: the tier can be removed. */
    void drained();

    /** A segment is complete on both devices. */
    void copied(Path segment, long bytes);

    /** A segment has left the SSD. */
    void evicted(Path segment, long bytes);

    /** A copy failed and will be tried again. */
    void copyFailed(Path segment, IOException failure);

    /** A segment will not be copied or evicted until the broker is restarted; its bytes stay on the SSD. */
    void quarantine(Path segment, IOException failure);

    /**
     * At the start: SSD files are lost, and the operator wants these tails to be given up. Told before that is done.
     */
    void givingUp(List<TruncatedTail> tails);

    /**
     * At the start: a directory that was empty is an SSD of the tier from now on.
     *
     * @param replaced true when another SSD was there before; nothing that was only on that one is missing, or else it
     *     has been given up
     */
    void ssdClaimed(Path ssdDir, boolean replaced);

    /**
     * At the start: a file could not be removed, or written anew; that does no harm, and the next start tries again.
     */
    void leftAsItIs(Path file, IOException failure);

    /** A segment could not leave the SSD. */
    void evictFailed(Path segment, IOException failure);
}

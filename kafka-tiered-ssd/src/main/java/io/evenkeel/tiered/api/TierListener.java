/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Gets the events that an operator may want to know. Called by broker threads and workers; must be quick, and never
 * throws.
 */
public interface TierListener {
    /** A new segment went to the HDD although it belongs on the SSD. */
    void placedOnHdd(Path segment, String reason);

    /** The SSD was full in the middle of an append: the segment has moved to the HDD, and the append went on there. */
    void spilled(Path segment, long bytes);

    /** An SSD has failed to read or to flush a file; it gets no new segments until the broker is restarted. */
    void ssdSuspect(Path ssdDir, Path file, IOException failure);

    /** A sealed segment on an HDD cannot be read, and has no other copy. */
    void unreadable(Path logDir, Path segment, IOException failure);

    /**
     * A segment cannot be read that has the newest records, or that is on an SSD, or the fsync of its directory failed:
     * its log directory has failed.
     */
    void storageError(Path logDir, Path segment, IOException failure);

    /**
     * No segment is left on the SSDs.
     *
     * @param left what else there is on them; when empty, the SSDs and the tier can be removed
     */
    void drained(List<Path> left);

    /**
     * A drain has come to its end although segments are still on an SSD.
     *
     * @param staying those that cannot leave it: their log directory is offline, or they are quarantined; empty when
     *     the rest only waits to be deleted
     */
    void drainHeldUp(List<Path> staying);

    /**
     * At the start: a directory on an SSD belongs to none of the log directories. It is left alone, and takes space.
     */
    void unknownOnSsd(Path dir);

    /** A segment is complete on both devices. */
    void copied(Path segment, long bytes);

    /** A segment has left the SSD. */
    void evicted(Path segment, long bytes);

    /** A copy failed and will be tried again. */
    void copyFailed(Path segment, IOException failure);

    /** A segment is quarantined: not copied or evicted until the broker is restarted. Its bytes stay on the SSD. */
    void quarantine(Path segment, IOException failure);

    /**
     * At the start: SSD files are lost, and the operator has chosen to truncate these tails. Called before the
     * truncation.
     */
    void truncating(List<TruncatedTail> tails);

    /**
     * At the start: a directory that was empty is an SSD of the tier from now on.
     *
     * @param replaced true when another SSD was there before; no record was only on that one, or its tail was truncated
     */
    void ssdClaimed(Path ssdDir, boolean replaced);

    /** At the start: files of a partition on an SSD that no segment needed have been removed. */
    void leftoversRemoved(Path ssdPartition, int files, long bytes);

    /** A file could not be opened, removed or rewritten. That does no harm, and the next start tries again. */
    void leftAsItIs(Path file, IOException failure);

    /** A segment could not leave the SSD. */
    void evictFailed(Path segment, IOException failure);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.disk.SsdFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * The segment as it was when a copy was begun, and the right to publish that copy as long as nothing has happened to
 * the segment since (S3). Thread safe.
 */
final class CopyTicket {
    private final Segment segment;
    private final Path path;
    private final SsdFile ssdFile;
    private final long changes;

    /** @param changes the segment's changes so far */
    CopyTicket(Segment segment, Path path, SsdFile ssdFile, long changes) {
        this.segment = segment;
        this.path = path;
        this.ssdFile = ssdFile;
        this.changes = changes;
    }

    /** The path of the link. */
    Path path() {
        return path;
    }

    /** The file to copy. */
    SsdFile ssdFile() {
        return ssdFile;
    }

    /** False when the copy has become worthless. */
    boolean isCurrent() {
        segment.lock().lock();
        try {
            return segment.isCopyable() && segment.changes() == changes;
        } finally {
            segment.lock().unlock();
        }
    }

    /**
     * Puts the finished copy in the link's place (S2, S3). The lock is not held during the fsync of the directory:
     * until that has succeeded the segment stays ONLY_CACHE, and a change puts the link back.
     *
     * <p>Requires: {@code copy} is complete, verified and fsynced.
     *
     * @return false when the segment has changed since the ticket was made; the copy is then worthless
     * @throws IOException when the copy could not be put in place, or the directory could not be made durable; in the
     *     second case the log directory has failed, because a later fsync that succeeds would prove nothing
     */
    boolean publish(Path copy, long dataTimeMs) throws IOException {
        try (FileChannel dir = segment.name().openDir()) {
            if (!replaceLink(copy)) {
                return false;
            }
            segment.durability().makeDurable(dir);
        }
        segment.lock().lock();
        try {
            if (!isCurrent()) {
                return false;
            }
            segment.storage().becomeCached(dataTimeMs);
            return true;
        } finally {
            segment.lock().unlock();
        }
    }

    private boolean replaceLink(Path copy) throws IOException {
        segment.lock().lock();
        try {
            if (!isCurrent()) {
                return false;
            }
            segment.name().requireLinkTo(ssdFile.path());
            segment.name().replaceLink(copy);
            return true;
        } finally {
            segment.lock().unlock();
        }
    }
}

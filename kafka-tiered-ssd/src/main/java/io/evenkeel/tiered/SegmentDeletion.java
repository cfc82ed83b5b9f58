/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;

/** What follows when Kafka has closed a segment and deleted its path. Stateless. */
final class SegmentDeletion {
    private SegmentDeletion() {}

    /**
     * The SSD file goes as well, and its space is free. Where the path may be a link on the disk, its removal is made
     * durable first: a power cut must not leave a link without a file (S4).
     */
    static void run(Segment segment, FileOps files, SegmentFiles segmentFiles, TierListener listener)
            throws IOException {
        SsdFile onSsd;
        boolean mayBeLink;
        long freedBytes;
        segment.lock().lock();
        try {
            segment.closed();
            onSsd = segment.storage().ssdFile();
            mayBeLink = segment.name().mayBeLink();
            freedBytes = segment.storage().leaveSsd();
        } finally {
            segment.lock().unlock();
        }
        if (onSsd == null) {
            return;
        }
        if (mayBeLink) {
            segment.name().makeRemovalDurable();
        }
        onSsd.remove(files, listener);
        onSsd.dir().addReserved(-freedBytes, 0);
        if (SegmentFileName.isDying(segment.name().dir())) {
            segmentFiles.deleteDirectoryIfEmpty(SegmentFileName.dirOf(onSsd.path()));
        }
    }
}

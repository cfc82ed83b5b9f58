/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.BackingFile;
import java.io.IOException;

/** Moves a segment's channel from its SSD file to its HDD file (S6). Stateless. */
final class MoveToHdd {
    private MoveToHdd() {}

    /**
     * From here on the segment is on the HDD alone; the evictor removes the SSD file when its last reader has gone.
     *
     * <p>Requires: the segment's lock is held; the name is durable; {@code hdd} was opened without following a link.
     *
     * @throws IOException when {@code hdd} has another length than the SSD file; it is then closed
     */
    static void move(Segment segment, BackingFile hdd) throws IOException {
        SsdFile onSsd = segment.storage().ssdFile();
        if (onSsd == null) {
            throw new IllegalStateException("Not on an SSD: " + segment);
        }
        try {
            requireSameLength(segment, hdd);
            BackingFile retired = segment.channel().move(hdd);
            segment.storage().becomeWithoutCache(segment.path(), onSsd, retired);
            segment.channel().left(retired);
        } catch (IOException e) {
            hdd.channel().close();
            throw e;
        }
    }

    private static void requireSameLength(Segment segment, BackingFile hdd) throws IOException {
        long hddBytes = hdd.channel().size();
        long ssdBytes = segment.channel().backingFile().channel().size();
        if (hddBytes != ssdBytes) {
            segment.life().quarantine();
            throw new IOException("The HDD file has " + hddBytes + " bytes, its SSD copy has " + ssdBytes + ": "
                    + segment.path() + " (hdd)");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.file.SegmentPath;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/**
 * Carries an active segment from a full SSD to the HDD while an append waits. Stateless.
 *
 * <p>It copies through the page cache and does not read back: a request handler is waiting, and the bytes were written
 * a moment ago. The HDD file is fsynced before it becomes the truth, so records that were flushed stay flushed.
 */
final class Spill {
    private Spill() {}

    /**
     * Puts a complete, durable file in the link's place. When that fails, the link stays.
     *
     * <p>Requires: no other thread changes the segment or its name meanwhile.
     */
    static BackingFile toHdd(FileOps files, BackingFile ssd, SegmentPath name) throws IOException {
        Path copy = SegmentFileName.withSuffix(name.path(), SegmentFileName.SPILL_SUFFIX);
        files.deleteIfExists(copy); // one that failed, and then could not be deleted
        FileChannel target = files.open(copy, CREATE_NEW, READ, WRITE);
        try {
            long sizeBytes = ssd.channel().size();
            long position = 0;
            while (position < sizeBytes) {
                long n = ssd.channel().transferTo(position, sizeBytes - position, target.position(position));
                if (n == 0) {
                    throw new IOException("Copied " + position + " of " + sizeBytes + " bytes: " + copy + " (hdd)");
                }
                position += n;
            }
            files.force(target);
            try (FileChannel dir = name.openDir()) {
                name.replaceLink(copy);
                name.makeDurable(dir);
            }
            return new BackingFile(Device.HDD, name.path(), target);
        } catch (IOException e) {
            target.close();
            files.deleteIfExists(copy);
            throw e;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.tiered.file.DirectIoBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files that a reader has open for direct I/O, the few that it used last. Belongs to the reader's worker. */
final class OpenColdFiles {
    private static final int MOST = 32;

    private final Map<ColdFile, FileChannel> open = new LinkedHashMap<>(MOST, 0.75f, true);

    /**
     * Fills the buffer from that position of the file on, or reads to the file's end; leaves it flipped. A file whose
     * name is not certain, as Kafka renames it, is read through the page cache.
     */
    void read(ColdFile file, long position, ByteBuffer buffer) throws IOException {
        FileChannel direct = open.get(file);
        if (direct == null) {
            direct = open(file);
        }
        if (direct != null) {
            DirectIoBuffer.fill(direct, buffer, position);
        } else {
            int n = 0;
            while (buffer.hasRemaining() && n >= 0) {
                n = file.source().readBuffered(buffer, position + buffer.position());
            }
        }
        buffer.flip();
    }

    private @Nullable FileChannel open(ColdFile file) throws IOException {
        FileChannel opened = file.source().openDirect();
        if (opened != null) {
            open.put(file, opened);
            if (open.size() > MOST) {
                close(open.keySet().iterator().next());
            }
        }
        return opened;
    }

    /** Closes those files; others that are not open are ignored. */
    void closeAll(List<ColdFile> files) throws IOException {
        for (ColdFile file : files) {
            close(file);
        }
    }

    void closeAll() throws IOException {
        closeAll(new ArrayList<>(open.keySet()));
    }

    private void close(ColdFile file) throws IOException {
        FileChannel opened = open.remove(file);
        if (opened != null) {
            opened.close();
        }
    }
}

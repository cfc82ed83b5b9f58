/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.tiered.file.DirectIoBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The files that a reader has open for direct I/O, the few that it used last. Belongs to the reader's worker. */
final class OpenColdFiles {
    private static final int MOST = 32;

    private final Map<ColdFile, FileChannel> open = new LinkedHashMap<>(MOST, 0.75f, true);

    /**
     * Fills the buffers of the chunks, one after the other, from that position of the file on, or up to the file's end;
     * leaves them flipped. A file whose name is not certain, as Kafka renames it, is read through the page cache.
     */
    void read(ColdFile file, long position, List<Chunk> chunks) throws IOException {
        FileChannel direct = open.get(file);
        if (direct == null) {
            direct = open(file);
        }
        ByteBuffer[] buffers = chunks.stream().map(Chunk::buffer).toArray(ByteBuffer[]::new);
        if (direct != null) {
            DirectIoBuffer.fill(direct, buffers, position);
        } else {
            long next = position;
            for (ByteBuffer buffer : buffers) {
                int n = 0;
                while (buffer.hasRemaining() && n >= 0) {
                    n = file.source().readBuffered(buffer, next + buffer.position());
                }
                next += buffer.capacity();
            }
        }
        for (ByteBuffer buffer : buffers) {
            buffer.flip();
        }
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

    /** Closes those files, each of them; others that are not open are ignored. Throws the last failure. */
    void closeAll(List<ColdFile> files) throws IOException {
        IOException failure = null;
        for (ColdFile file : files) {
            try {
                close(file);
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void close(ColdFile file) throws IOException {
        FileChannel opened = open.remove(file);
        if (opened != null) {
            opened.close();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A segment's file on one device for as long as its bytes do not change. When they have changed, the segment gets
 * another one, so that nobody finds the old bytes. Guarded by the lock of its reader.
 */
public final class ColdFile {
    /** How the file is read. Called by the reader's worker, without its lock. */
    public interface Source {
        /**
         * Opens it for direct I/O; null when its name is not certain at this moment.
         *
         * @throws IOException when it is not on the device any more
         */
        @Nullable
        FileChannel openDirect() throws IOException;

        /** Reads it as usual, through the page cache; as {@link FileChannel#read(ByteBuffer, long)}. */
        int readBuffered(ByteBuffer dst, long position) throws IOException;
    }

    private final Source source;
    private final ResidentParts resident = new ResidentParts();
    private final Map<Long, Chunk> chunks = new HashMap<>();
    private boolean forgotten;

    public ColdFile(Source source) {
        this.source = source;
    }

    /** Needs no lock. */
    ResidentParts resident() {
        return resident;
    }

    Source source() {
        return source;
    }

    @Nullable
    Chunk chunk(long index) {
        return chunks.get(index);
    }

    void add(Chunk chunk) {
        chunks.put(chunk.index(), chunk);
    }

    void remove(Chunk chunk) {
        chunks.remove(chunk.index(), chunk);
    }

    Iterable<Chunk> chunks() {
        return chunks.values();
    }

    /** Its bytes are about to change, or it is closed: nothing is read from it any more. */
    void forget() {
        forgotten = true;
        chunks.clear();
    }

    boolean isForgotten() {
        return forgotten;
    }
}

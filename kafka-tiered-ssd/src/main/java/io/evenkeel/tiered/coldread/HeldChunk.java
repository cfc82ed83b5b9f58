/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The chunk that a network thread has been told to send from. It stays in memory until the thread lets it go, whatever
 * becomes of the file meanwhile: else the thread could find the bytes gone, and would wait for the disk. Each thread
 * sees its own, and holds one at most (R6).
 */
public final class HeldChunk {
    private static final ThreadLocal<@Nullable HeldChunk> MINE = new ThreadLocal<>();

    private final Object segment;
    private final ColdReader reader;
    private final Chunk chunk;
    private int readTo;

    private HeldChunk(Object segment, ColdReader reader, Chunk chunk) {
        this.segment = segment;
        this.reader = reader;
        this.chunk = chunk;
    }

    /** How many of the bytes are in memory. If there are some, their chunk is held from now on, instead of another. */
    static long hold(Object segment, ColdReader reader, ColdFile file, long position, long most) {
        letGo();
        Chunk chunk = reader.pin(file, position);
        if (chunk == null) {
            return 0;
        }
        MINE.set(new HeldChunk(segment, reader, chunk));
        return reader.bytes(chunk, position, most).remaining();
    }

    /** The thread has sent what it was told to, or will not. */
    public static void letGo() {
        HeldChunk held = MINE.get();
        if (held != null) {
            MINE.remove();
            held.reader.unpin(held.chunk, held.readTo);
        }
    }

    /** As a positional read of the segment, when that position is held; else {@link ColdReader#NOT_THERE}. */
    static int read(Object segment, long position, ByteBuffer dst) {
        HeldChunk held = of(segment, position);
        if (held == null) {
            return ColdReader.NOT_THERE;
        }
        ByteBuffer bytes = held.reader.bytes(held.chunk, position, dst.remaining());
        int n = bytes.remaining();
        dst.put(bytes);
        held.readTo = bytes.position();
        return n;
    }

    /** As a transfer of the segment to a channel, when that position is held; else {@link ColdReader#NOT_THERE}. */
    static long send(Object segment, long position, long most, WritableByteChannel target) throws IOException {
        HeldChunk held = of(segment, position);
        if (held == null) {
            return ColdReader.NOT_THERE;
        }
        ByteBuffer bytes = held.reader.bytes(held.chunk, position, most);
        int n = target.write(bytes);
        held.readTo = bytes.position();
        return n;
    }

    private static @Nullable HeldChunk of(Object segment, long position) {
        HeldChunk held = MINE.get();
        return held != null && held.segment == segment && held.reader.has(held.chunk, position) ? held : null;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The buffers of a reader, and which chunk loses its buffer first. Guarded by the lock of its reader. */
final class ChunkPool {
    private int most;
    private final Deque<ByteBuffer> free = new ArrayDeque<>();
    /** Those with bytes, the one that was used longest ago first. */
    private final Set<Chunk> loaded = new LinkedHashSet<>();

    private int buffers;

    ChunkPool(int most) {
        this.most = most;
    }

    /** How many more buffers would be of use for so many chunks, and are allowed. */
    int missing(int wanted) {
        return Math.min(wanted - free.size(), most - buffers);
    }

    void grow(ByteBuffer allocated) {
        buffers++;
        free.add(allocated);
    }

    /** Those that there are have to do; answers whether there are any. */
    boolean growNoMore() {
        most = buffers;
        return buffers > 0;
    }

    int buffers() {
        return buffers;
    }

    /** Who a buffer is for, and so which chunk may be dropped for it. */
    enum For {
        /** Nobody waits: only one that somebody has read to its end. */
        AHEAD,
        /** A send: rather one that somebody has read to its end, but none whose send is on the way. */
        SEND,
        /** A request handler, which holds a lock: any. */
        HANDLER
    }

    /**
     * Gives buffers to the first of these chunks, of which the very first is the one that is wanted most; perhaps other
     * chunks are dropped for them.
     *
     * @return those that have one now, and are being loaded
     */
    List<Chunk> load(List<Chunk> chunks, For whom, long nowNanos) {
        List<Chunk> loading = new ArrayList<>();
        for (Chunk chunk : chunks) {
            ByteBuffer buffer = take(loading.isEmpty() || whom == For.AHEAD ? whom : For.SEND, nowNanos);
            if (buffer == null) {
                break;
            }
            chunk.load(buffer.clear());
            loading.add(chunk);
        }
        return loading;
    }

    private @Nullable ByteBuffer take(For whom, long nowNanos) {
        if (!free.isEmpty()) {
            return free.remove();
        }
        ByteBuffer taken = drop(chunk -> chunk.isRead() && !chunk.isLeased(nowNanos));
        if (taken == null && whom != For.AHEAD) {
            taken = drop(chunk -> !chunk.isLeased(nowNanos));
        }
        return taken == null && whom == For.HANDLER ? drop(any -> true) : taken;
    }

    private @Nullable ByteBuffer drop(Predicate<Chunk> which) {
        for (Iterator<Chunk> chunks = loaded.iterator(); chunks.hasNext(); ) {
            Chunk oldest = chunks.next();
            if (!oldest.isPinned() && which.test(oldest)) {
                chunks.remove();
                oldest.state(Chunk.State.DROPPED);
                oldest.file().remove(oldest);
                return oldest.buffer();
            }
        }
        return null;
    }

    int most() {
        return most;
    }

    void give(ByteBuffer unused) {
        free.add(unused);
    }

    void loaded(Chunk chunk) {
        loaded.add(chunk);
    }

    void used(Chunk chunk) {
        loaded.remove(chunk);
        loaded.add(chunk);
    }

    /** Its file has changed. */
    void drop(Chunk chunk) {
        chunk.state(Chunk.State.DROPPED);
        if (loaded.remove(chunk) && !chunk.isPinned()) {
            free.add(chunk.buffer());
        }
    }

    /** Takes a pin back; a chunk that was dropped meanwhile gives its buffer back with the last one. */
    void unpin(Chunk chunk, int readTo) {
        if (readTo == chunk.bytes()) {
            chunk.read();
        }
        if (chunk.unpin() && chunk.state() == Chunk.State.DROPPED) {
            free.add(chunk.buffer());
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
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

    /** Whether {@link #take} would have to evict although another buffer may be allocated. */
    boolean canGrow() {
        return free.isEmpty() && buffers < most;
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

    /**
     * A buffer, perhaps of a chunk that is dropped for it; null when all are in use.
     *
     * @param isAhead nobody waits for what is read into it, so it is not worth what was read ahead before
     */
    @Nullable
    ByteBuffer take(long nowNanos, boolean isAhead) {
        if (!free.isEmpty()) {
            return free.remove();
        }
        for (Iterator<Chunk> chunks = loaded.iterator(); chunks.hasNext(); ) {
            Chunk oldest = chunks.next();
            if (!oldest.isPinned() && !oldest.isLeased(nowNanos) && (oldest.isUsed() || !isAhead)) {
                chunks.remove();
                oldest.state(Chunk.State.DROPPED);
                oldest.file().remove(oldest);
                return oldest.buffer();
            }
        }
        return null;
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

    /** The last pin of a chunk is gone. */
    void unpinned(Chunk chunk) {
        if (chunk.state() == Chunk.State.DROPPED) {
            free.add(chunk.buffer());
        }
    }
}

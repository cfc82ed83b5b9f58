/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that are wanted, and their order. Guarded by the lock of its reader.
 *
 * <p>What request handlers want comes first, because a partition's lock is held meanwhile; then what is wanted longest.
 * With a chunk come those that are wanted behind it in the same file, as an HDD reads many bytes in one place as fast
 * as a few.
 */
final class ColdQueue {
    private final Set<Chunk> urgent = new LinkedHashSet<>();
    private final Set<Chunk> wanted = new LinkedHashSet<>();
    private @Nullable Chunk last;
    /** The last chunk of the same file that anybody has wanted or used. */
    private long reached;

    void add(Chunk chunk) {
        wanted.add(chunk);
    }

    /** A request handler waits for it. */
    void hurry(Chunk chunk) {
        if (wanted.remove(chunk)) {
            urgent.add(chunk);
        }
    }

    void remove(Chunk chunk) {
        wanted.remove(chunk);
        urgent.remove(chunk);
    }

    boolean isEmpty() {
        return wanted.isEmpty() && urgent.isEmpty();
    }

    int size() {
        return wanted.size() + urgent.size();
    }

    /** Whether {@link #take} takes one that a request handler waits for. */
    boolean isUrgent() {
        return !urgent.isEmpty();
    }

    /** Takes the chunks to read next, which follow each other in one file; empty when none is wanted. */
    List<Chunk> take(int most) {
        List<Chunk> run = new ArrayList<>();
        Chunk next = isEmpty()
                ? null
                : (urgent.isEmpty() ? wanted : urgent).iterator().next();
        while (next != null && run.size() < most && (wanted.contains(next) || urgent.contains(next))) {
            remove(next);
            run.add(next);
            last = next;
            reached = next.index();
            next = next.file().chunk(next.index() + 1);
        }
        return run;
    }

    /**
     * Takes the chunks to read ahead while none is wanted: what follows the last one, but not further ahead of the
     * readers than {@code most} chunks. Empty when there is nothing to read ahead.
     */
    List<Chunk> ahead(int most) {
        List<Chunk> run = new ArrayList<>();
        Chunk before = last;
        if (before == null || before.file().isForgotten()) {
            return run;
        }
        for (long next = before.index() + 1; next <= reached + most; next++) {
            if (before.file().chunk(next) != null) {
                break;
            }
            run.add(new Chunk(before.file(), next));
        }
        return run;
    }

    /** A chunk from {@link #ahead} is being read. */
    void tookAhead(Chunk ahead) {
        ahead.file().add(ahead);
        last = ahead;
    }

    /** A reader has come to this chunk: what follows it may be read ahead. */
    void reached(Chunk chunk) {
        if (last != null && last.file() == chunk.file()) {
            reached = Math.max(reached, chunk.index());
        }
    }

    /** Nothing is to be read behind this chunk: it holds the end of its file. */
    void ended(Chunk chunk) {
        if (last != null && last.file() == chunk.file()) {
            last = null;
        }
    }
}

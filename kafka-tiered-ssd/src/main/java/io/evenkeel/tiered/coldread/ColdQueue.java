/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that are wanted, and their order. Guarded by the lock of its reader.
 *
 * <p>Request handlers come first, because a partition's lock is held meanwhile. Then a run goes on in the file where it
 * is, as an HDD reads best. After {@value #LONGEST_RUN} chunks the one that is wanted longest has its turn: so each
 * comes after as many runs as others were wanted before it, at the most.
 */
final class ColdQueue {
    static final int LONGEST_RUN = 4;

    private final Set<Chunk> urgent = new LinkedHashSet<>();
    private final Set<Chunk> wanted = new LinkedHashSet<>();
    private @Nullable Chunk last;
    private int run;
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

    /** Takes the chunk to read next; null when none is wanted. */
    @Nullable
    Chunk take() {
        Chunk next = urgent.isEmpty() ? successor() : first(urgent);
        if (next == null && !wanted.isEmpty()) {
            next = first(wanted);
        }
        if (next != null) {
            remove(next);
            took(next);
            reached = next.index();
        }
        return next;
    }

    private @Nullable Chunk successor() {
        Chunk before = last;
        Chunk next = before == null || run >= LONGEST_RUN ? null : before.file().chunk(before.index() + 1);
        return next != null && wanted.contains(next) ? next : null;
    }

    private static Chunk first(Set<Chunk> chunks) {
        Iterator<Chunk> all = chunks.iterator();
        return all.next();
    }

    private void took(Chunk next) {
        Chunk before = last;
        boolean goesOn = before != null && before.file() == next.file() && before.index() + 1 == next.index();
        run = goesOn ? run + 1 : 1;
        last = next;
    }

    /**
     * The chunk to read ahead while none is wanted: what follows the last one, but not further ahead than
     * {@value #LONGEST_RUN} chunks. Null when there is nothing to read ahead.
     */
    @Nullable
    Chunk ahead() {
        Chunk before = last;
        if (before == null
                || before.index() - reached >= LONGEST_RUN - 1
                || before.file().isForgotten()) {
            return null;
        }
        return before.file().chunk(before.index() + 1) == null ? new Chunk(before.file(), before.index() + 1) : null;
    }

    /** The chunk from {@link #ahead} is read. */
    void takeAhead(Chunk ahead) {
        took(ahead);
    }

    /** A reader has come to this chunk: what follows it may be read ahead. */
    void reached(Chunk chunk) {
        if (last != null && last.file() == chunk.file()) {
            reached = Math.max(reached, chunk.index());
        }
    }

    /** Nothing is to be read behind this chunk: it holds the end of its file. */
    void ended(Chunk chunk) {
        if (chunk == last) {
            last = null;
        }
    }
}

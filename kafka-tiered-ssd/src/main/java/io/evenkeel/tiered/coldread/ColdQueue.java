/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that are wanted, and their order. Guarded by the lock of its reader.
 *
 * <p>What request handlers want comes first, because a partition's lock is held meanwhile. Then replicas and consumers
 * have their turns, and among them whose fetch came in first: with a turn for each read, all would be in the middle of
 * their responses, and what they come back for would have left the buffers. With a chunk come those that are wanted
 * behind it in the same file, as an HDD reads many bytes in one place as fast as a few.
 */
final class ColdQueue {
    /** By number, as well, because a set keeps one of two equal chunks; thousands of clients may wait. */
    private static final Comparator<Chunk> OLDEST_FETCH = Comparator.comparing(
                    Chunk::fetchedNanos, (one, other) -> Long.signum(one - other)) // the clock may wrap
            .thenComparingLong(Chunk::number);

    private final NavigableSet<Chunk> urgent = new TreeSet<>(OLDEST_FETCH);
    private final NavigableSet<Chunk> replicas = new TreeSet<>(OLDEST_FETCH);
    private final NavigableSet<Chunk> wanted = new TreeSet<>(OLDEST_FETCH);
    private long added;
    private boolean replicaHadLastTurn;
    private @Nullable Chunk last;
    /** The last chunk of the same file that anybody has wanted or used. */
    private long reached;

    void add(Chunk chunk) {
        chunk.number(++added);
        wanted.add(chunk);
    }

    /** A replica wants it, too. */
    void prefer(Chunk chunk) {
        if (wanted.remove(chunk)) {
            chunk.exempt();
            replicas.add(chunk);
        }
    }

    /** A request handler waits for it. */
    void hurry(Chunk chunk) {
        if (remove(chunk)) {
            chunk.exempt();
            urgent.add(chunk);
        }
    }

    /** False when it was not wanted. */
    boolean remove(Chunk chunk) {
        return wanted.remove(chunk) || replicas.remove(chunk) || urgent.remove(chunk);
    }

    boolean isEmpty() {
        return size() == 0;
    }

    int size() {
        return wanted.size() + replicas.size() + urgent.size();
    }

    /** Whether the next chunk is one that a request handler waits for. */
    boolean isUrgent() {
        return !urgent.isEmpty();
    }

    /** Whether somebody wants a chunk who does not wait for the ceiling: a request handler or a replica. */
    boolean isExempt() {
        return !urgent.isEmpty() || !replicas.isEmpty();
    }

    /**
     * The chunks to read next, which follow each other in one file; empty when none is wanted.
     *
     * @param exemptOnly consumers have to wait for the ceiling
     */
    List<Chunk> next(int most, boolean exemptOnly) {
        List<Chunk> run = new ArrayList<>();
        Chunk next = first(exemptOnly);
        boolean goesOn = true;
        while (goesOn && next != null && run.size() < most && isWanted(next)) {
            run.add(next);
            goesOn = !next.isReadAlone();
            next = next.file().chunk(next.index() + 1);
        }
        return run;
    }

    private @Nullable Chunk first(boolean exemptOnly) {
        boolean isReplicasTurn = !replicas.isEmpty() && !replicaHadLastTurn;
        NavigableSet<Chunk> others = exemptOnly || wanted.isEmpty() || isReplicasTurn ? replicas : wanted;
        NavigableSet<Chunk> whose = urgent.isEmpty() ? others : urgent;
        return whose.isEmpty() ? null : whose.first();
    }

    private boolean isWanted(Chunk chunk) {
        return wanted.contains(chunk) || replicas.contains(chunk) || urgent.contains(chunk);
    }

    /** Nothing is wanted any more; answers what was. */
    List<Chunk> clear() {
        List<Chunk> all = new ArrayList<>(urgent);
        all.addAll(replicas);
        all.addAll(wanted);
        all.forEach(this::remove);
        return all;
    }

    /** These chunks, from {@link #next} or {@link #ahead}, are being read. */
    void took(List<Chunk> run) {
        if (!run.isEmpty() && !urgent.contains(run.get(0))) {
            replicaHadLastTurn = replicas.contains(run.get(0));
        }
        for (Chunk chunk : run) {
            if (remove(chunk)) {
                reached = chunk.index();
            }
            chunk.file().add(chunk);
            last = chunk;
        }
    }

    /**
     * The chunks to read ahead while none is wanted: what follows the last one, but not further ahead of the readers
     * than {@code most} chunks. Empty when there is nothing to read ahead.
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
            Chunk ahead = new Chunk(before.file(), next, before.fetchedNanos());
            ahead.readAlone(); // nobody wants it, so it is not tried again
            run.add(ahead);
        }
        return run;
    }

    /** Whether half of what may be read ahead is used up. */
    boolean isAheadDue(int most) {
        return last != null
                && !last.file().isForgotten()
                && last.file().chunk(last.index() + 1) == null
                && reached + most - last.index() > most / 2;
    }

    /** A reader has come to this chunk: what follows it may be read ahead. */
    void reached(Chunk chunk) {
        if (last != null && last.file() == chunk.file()) {
            reached = Math.max(reached, chunk.index());
        }
    }

    /** Nothing is to be read behind this chunk: it holds the end of its file, or cannot be read. */
    void ended(Chunk chunk) {
        if (last != null && last.file() == chunk.file()) {
            last = null;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.tiered.api.ColdReadStats;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The chunks of one reader: those in memory, those that are wanted, and the sends that wait for them. Thread safe. Its
 * lock guards the queue, pool, files and chunks, too. The caller wakes the sends that a method returns. The rules are
 * in {@link ColdReader}.
 */
final class ChunkTable {
    private static final long LEASE_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Of what was read behind it: so long does a client take for that which reads a few MB a second. */
    private static final long LEASE_BEHIND_NANOS = TimeUnit.MILLISECONDS.toNanos(250);
    /** A chunk that could not be read is not tried again for so long. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** An HDD reads so much in little more time than it takes to get there, and a fetch brings no more by default. */
    static final int CHUNKS_PER_READ = 16;

    private static final int MOST_AHEAD = CHUNKS_PER_READ / 2;
    private static final int FEWEST_PER_SEND = 4;
    private static final int SENDS_WITH_ROOM = 16;
    /** What {@link #request} answers when the bytes are not to be had from here. */
    static final long NOT_FROM_HERE = -1;

    private final int chunkBytes;
    private final long mostPerSend;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ColdQueue queue = new ColdQueue();
    private final ChunkPool pool;
    private List<ColdFile> forgotten = new ArrayList<>();
    private List<Chunk> loading = List.of();
    private boolean isOpen;
    private long loadedBytes;
    private int waiting;

    ChunkTable(int chunkBytes, int mostChunks) {
        this.chunkBytes = chunkBytes;
        this.mostPerSend = Math.max(FEWEST_PER_SEND, Math.min(CHUNKS_PER_READ, mostChunks / SENDS_WITH_ROOM));
        this.pool = new ChunkPool(mostChunks);
    }

    void open() {
        locked(() -> isOpen = true);
    }

    /** Drops what is wanted, and returns the sends that waited. */
    List<ColdSend> close() {
        List<ColdSend> woken = new ArrayList<>();
        locked(() -> {
            isOpen = false;
            queue.clear().forEach(left -> fail(left, 0, woken));
            loading.forEach(chunk -> fail(chunk, 0, woken)); // the read may hang
            changed.signalAll();
        });
        return woken;
    }

    private void locked(Runnable action) {
        answered(() -> {
            action.run();
            return true;
        });
    }

    private <T> T answered(Supplier<T> question) {
        lock.lock();
        try {
            return question.get();
        } finally {
            lock.unlock();
        }
    }

    /**
     * How many bytes are in memory from that position on; when there are none, {@code send} waits for them.
     *
     * @param nowNanos when a chunk that has failed may be tried again
     */
    long request(ColdFile file, long position, long most, ColdSend send, long nowNanos) {
        boolean toReplica = send.isToReplica();
        long fetchedNanos = send.fetchedNanos();
        return answered(() -> {
            Chunk chunk = wanted(file, position, fetchedNanos, nowNanos);
            if (chunk == null) {
                return NOT_FROM_HERE;
            }
            if (chunk.isLoaded()) {
                long there = chunk.bytes() - (long) offset(position);
                return there > 0 ? there : NOT_FROM_HERE;
            }
            long end = position + Math.min(most, mostPerSend * chunkBytes);
            for (long next = chunk.index() * chunkBytes; next < end; next += chunkBytes) {
                Chunk more = wanted(file, next, fetchedNanos, nowNanos);
                if (more != null && toReplica) {
                    queue.prefer(more);
                }
            }
            chunk.waiting().add(send);
            waiting++;
            return 0L;
        });
    }

    /** Waits until the bytes are in memory, or cannot be; {@code wakeWorker} runs whenever they are wanted anew. */
    void await(ColdFile file, long position, long nowNanos, Runnable wakeWorker) {
        locked(() -> {
            Chunk chunk = wanted(file, position, nowNanos, nowNanos);
            while (chunk != null && chunk.isOnItsWay()) {
                queue.hurry(chunk);
                wakeWorker.run();
                changed.awaitUninterruptibly();
            }
        });
    }

    private @Nullable Chunk loaded(ColdFile file, long position) {
        Chunk chunk = file.chunk(position / chunkBytes);
        return chunk != null && chunk.isLoaded() && offset(position) < chunk.bytes() ? chunk : null;
    }

    /** The chunk with that position, which will be loaded; null when it could not be, or no longer can. */
    private @Nullable Chunk wanted(ColdFile file, long position, long fetchedNanos, long nowNanos) {
        if (!isOpen || file.isForgotten()) {
            return null;
        }
        Chunk chunk = file.chunk(position / chunkBytes);
        if (chunk != null && chunk.state() == Chunk.State.FAILED) {
            if (chunk.isLeased(nowNanos)) {
                return null;
            }
            chunk = null;
        }
        if (chunk == null) {
            chunk = new Chunk(file, position / chunkBytes, fetchedNanos);
            file.add(chunk);
            queue.add(chunk);
        }
        return chunk;
    }

    /** The chunk with the byte at that position, pinned; null when it is not in memory. */
    @Nullable
    Chunk pin(ColdFile file, long position) {
        lock.lock();
        try {
            Chunk chunk = loaded(file, position);
            if (chunk != null) {
                chunk.pin();
                pool.used(chunk);
                queue.reached(chunk);
            }
            return chunk;
        } finally {
            lock.unlock();
        }
    }

    /** True when it is time to read ahead: half of what may be is used up. */
    boolean unpin(Chunk chunk, int readTo) {
        return answered(() -> {
            pool.unpin(chunk, readTo);
            return queue.isEmpty() && queue.isAheadDue(MOST_AHEAD);
        });
    }

    int offset(long position) {
        return (int) (position % chunkBytes);
    }

    /** Drops all chunks of a file (R2), and returns the sends that waited for them. */
    List<ColdSend> forget(ColdFile file) {
        List<ColdSend> woken = new ArrayList<>();
        locked(() -> {
            for (Chunk chunk : file.chunks()) {
                queue.remove(chunk);
                take(chunk, woken);
                pool.drop(chunk);
            }
            file.forget();
            forgotten.add(file);
            changed.signalAll();
        });
        return woken;
    }

    /** The files that were forgotten since the last call. */
    List<ColdFile> takeForgotten() {
        return answered(() -> {
            List<ColdFile> taken = forgotten;
            forgotten = new ArrayList<>();
            return taken;
        });
    }

    boolean isExempt() {
        return answered(queue::isExempt);
    }

    /** How many more buffers would be of use now, and are allowed. */
    int missingBuffers() {
        return answered(() -> queue.isEmpty() && queue.ahead(1).isEmpty() ? 0 : pool.missing(CHUNKS_PER_READ));
    }

    void add(ByteBuffer allocated) {
        locked(() -> pool.grow(allocated));
    }

    /** As {@link ChunkPool#growNoMore}. */
    boolean makeDo() {
        return answered(pool::growNoMore);
    }

    /**
     * The chunks to read now, which follow each other in one file, with empty buffers; empty when none is wanted, or
     * all buffers are in use.
     *
     * @param exemptOnly as in {@link ColdQueue#next}
     */
    List<Chunk> next(long nowNanos, boolean exemptOnly) {
        return answered(() -> {
            boolean isAhead = queue.isEmpty();
            ChunkPool.For whom =
                    isAhead ? ChunkPool.For.AHEAD : queue.isUrgent() ? ChunkPool.For.HANDLER : ChunkPool.For.SEND;
            List<Chunk> found = isAhead ? queue.ahead(MOST_AHEAD) : queue.next(CHUNKS_PER_READ, exemptOnly);
            loading = pool.load(found, whom, nowNanos);
            queue.took(loading);
            return loading;
        });
    }

    /** Takes the chunks from {@link #next} back, read or not, and returns the sends that waited for them. */
    List<ColdSend> finish(List<Chunk> run, boolean isRead, long nowNanos) {
        List<ColdSend> woken = new ArrayList<>();
        locked(() -> {
            loading = List.of();
            run.forEach(chunk -> finish(chunk, isRead, run.size() == 1, nowNanos, woken));
            changed.signalAll();
        });
        return woken;
    }

    private void finish(Chunk chunk, boolean isRead, boolean isAlone, long nowNanos, List<ColdSend> woken) {
        if (!isRead || chunk.bytes() < chunkBytes) {
            queue.ended(chunk);
        }
        boolean isStillWanted = chunk.state() == Chunk.State.LOADING;
        if (isRead && isStillWanted) {
            chunk.state(Chunk.State.LOADED);
            chunk.lease(nowNanos + (chunk.waiting().isEmpty() ? LEASE_BEHIND_NANOS : LEASE_NANOS));
            pool.loaded(chunk);
            loadedBytes += chunk.bytes();
        } else {
            pool.give(chunk.buffer());
            if (isStillWanted && (isAlone || chunk.isReadAlone())) {
                fail(chunk, nowNanos + RETRY_NANOS, woken);
            } else if (isStillWanted) { // one bad sector must not fail its neighbours
                chunk.readAlone();
                queue.add(chunk);
                return;
            }
        }
        take(chunk, woken);
    }

    private void fail(Chunk chunk, long retryNanos, List<ColdSend> woken) {
        chunk.state(Chunk.State.FAILED);
        chunk.lease(retryNanos);
        take(chunk, woken);
    }

    /** Moves those who wait for a chunk to the list. */
    private void take(Chunk chunk, List<ColdSend> woken) {
        woken.addAll(chunk.waiting());
        waiting -= chunk.waiting().size();
        chunk.waiting().clear();
    }

    ColdReadStats stats(long busyNanos) {
        return answered(() ->
                new ColdReadStats(loadedBytes, busyNanos, queue.size(), waiting, (long) pool.buffers() * chunkBytes));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.core.RateLimiter;
import io.evenkeel.tiered.api.ColdReadStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads one disk, an HDD or an SSD, for all who want bytes of files on it. Thread safe; {@link #step} is for its one
 * worker.
 *
 * <p>The bytes come in chunks of one size, read past the page cache into a fixed number of buffers, and everybody who
 * reads the same part of a file gets them from the same chunk.
 */
public final class ColdReader {
    /*
     * Ground rules
     *
     * R1  The lock is not held across a read of the disk or a write to a socket.
     * R2  A pinned chunk keeps its bytes. Once a file has changed, no reader finds its old chunks.
     * R3  Whoever waits is woken: by the chunk, by its failure, when its file is forgotten, and when the reader stops.
     * R4  A woken send finds its chunk: the buffer stays until its last byte is read, or LEASE_NANOS are over. What was
     *     read behind it stays as long, or for LEASE_BEHIND_NANOS.
     * R5  There are never more buffers than allowed. Without memory for another one, those that exist have to do.
     * R6  What a network thread is told to send from memory stays there until it has sent (HeldChunk).
     */

    /** What {@link #read} answers when the bytes are not in memory. */
    public static final int NOT_THERE = -2;

    /** A ceiling that has been raised is noticed after so long. */
    private static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** Of an HDD that reads 100 MB/s. */
    private static final long TRANSFER_NANOS_PER_BYTE = 10;

    private static final long WHILE_ALL_ARE_IN_USE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private final int chunkBytes;
    private final LongSupplier nanoClock;
    private final LongConsumer readNanos;
    private final RateLimiter ceiling;
    private final ChunkTable chunks;
    private final IntFunction<ByteBuffer> allocate;
    private final LongAdder busyNanos = new LongAdder();
    private final OpenColdFiles files = new OpenColdFiles();
    private final LateSends late = new LateSends();
    private volatile @Nullable Runnable worker;

    /**
     * @param chunkBytes a multiple of the alignment of direct I/O
     * @param mostChunks how many may be in memory
     * @param allocate makes a buffer for direct I/O. Without memory for the first one, the reader stops
     * @param readNanos receives the duration of each disk read, less the time to transfer its bytes
     * @param ceiling of what is read for consumers
     */
    public ColdReader(
            int chunkBytes,
            int mostChunks,
            IntFunction<ByteBuffer> allocate,
            LongSupplier nanoClock,
            LongConsumer readNanos,
            RateLimiter ceiling) {
        this.allocate = allocate;
        this.chunkBytes = chunkBytes;
        this.chunks = new ChunkTable(chunkBytes, mostChunks);
        this.nanoClock = nanoClock;
        this.readNanos = readNanos;
        this.ceiling = ceiling;
    }

    /** From now on {@link #step} is run, soon after each call of {@code wake}. */
    public void start(Runnable wake) {
        chunks.open();
        late.open();
        worker = wake;
    }

    /** Nothing is read any more; whoever waits reads the file itself. */
    public void stop() {
        worker = null;
        List<ColdSend> waiting = new ArrayList<>(chunks.close());
        waiting.addAll(late.close());
        wake(waiting);
    }

    long nowNanos() {
        return nanoClock.getAsLong();
    }

    public boolean isOn() {
        return worker != null;
    }

    /** True when the send's client has had more than it may: the send is woken when it is worth another try. */
    public boolean delays(ColdSend send) {
        boolean isLate = late.delays(send, nanoClock.getAsLong());
        if (isLate) {
            wakeWorker();
        }
        return isLate;
    }

    /**
     * Has bytes read that are not in memory.
     *
     * @param send woken once if 0 is returned: when it may find the bytes in memory
     * @return {@code most} when the file cannot be read ahead of the caller, who then meets the reason; else 0
     */
    public long request(ColdFile file, long position, long most, ColdSend send) {
        long there = chunks.request(file, position, most, send, nanoClock.getAsLong());
        if (there > 0) { // since the caller looked
            send.wake();
        } else if (there == 0) {
            wakeWorker();
        }
        return there == ChunkTable.NOT_FROM_HERE ? most : 0;
    }

    /** Waits until the bytes at that position are in memory, or cannot be. Before others who want any. */
    public void await(ColdFile file, long position) {
        chunks.await(file, position, nanoClock.getAsLong(), this::wakeWorker);
    }

    /** As a positional read of the file, of bytes that are in memory; else {@link #NOT_THERE}. */
    public int read(ColdFile file, long position, ByteBuffer dst) {
        Chunk chunk = pin(file, position);
        if (chunk == null) {
            return NOT_THERE;
        }
        ByteBuffer bytes = bytes(chunk, position, dst.remaining());
        try {
            int n = bytes.remaining();
            dst.put(bytes);
            return n;
        } finally {
            unpin(chunk, bytes.position());
        }
    }

    /** The chunk with the byte at that position, which stays in memory until {@link #unpin}; null: it is not there. */
    @Nullable
    Chunk pin(ColdFile file, long position) {
        return chunks.pin(file, position);
    }

    void unpin(Chunk chunk, int readTo) {
        if (chunks.unpin(chunk, readTo)) {
            wakeWorker();
        }
    }

    /** Whether a chunk has the byte at a position of its file. */
    boolean has(Chunk chunk, long position) {
        return chunk.index() == position / chunkBytes && chunks.offset(position) < chunk.bytes();
    }

    ByteBuffer bytes(Chunk chunk, long position, long most) {
        ByteBuffer bytes = chunk.buffer().duplicate().position(chunks.offset(position));
        return bytes.limit((int) Math.min(bytes.limit(), bytes.position() + most));
    }

    /** The file's bytes are about to change, or it is closed: nobody gets its present bytes from here any more. */
    public void forget(ColdFile file) {
        wake(chunks.forget(file));
        wakeWorker();
    }

    private void wakeWorker() {
        Runnable wake = worker;
        if (wake != null) {
            wake.run();
        }
    }

    public ColdReadStats stats() {
        return chunks.stats(busyNanos.sum());
    }

    /**
     * Wakes the sends whose time has come, and reads some chunks that follow each other in one file.
     *
     * @return nanoseconds until there may be another one to read
     */
    public long step(long nowNanos) throws IOException {
        wake(late.takeDue(nowNanos));
        return Math.min(read(nowNanos), late.nextNanos(nowNanos));
    }

    private long read(long nowNanos) throws IOException {
        files.closeAll(chunks.takeForgotten());
        long owedNanos = ceiling.waitNanos(nowNanos);
        boolean isOwed = owedNanos > 0;
        if (isOwed && !chunks.isExempt()) { // a handler holds a lock of Kafka's, a replica has to keep up
            return Math.min(owedNanos, LONGEST_WAIT_NANOS);
        }
        grow();
        List<Chunk> next = chunks.next(nowNanos, isOwed);
        if (next.isEmpty()) {
            return stats().queued() > 0 ? WHILE_ALL_ARE_IN_USE_NANOS : Long.MAX_VALUE;
        }
        load(next, nowNanos);
        return 0;
    }

    /** Takes time, so it is not done under the table's lock. */
    private void grow() {
        for (int missing = chunks.missingBuffers(); missing > 0; missing /= 2) {
            try {
                ByteBuffer all = allocate.apply(missing * chunkBytes);
                for (int i = 0; i < missing; i++) {
                    chunks.add(all.slice(i * chunkBytes, chunkBytes));
                }
                return;
            } catch (OutOfMemoryError e) {
                if (missing == 1 && !chunks.makeDo()) {
                    stop();
                    throw e;
                }
            }
        }
    }

    private void load(List<Chunk> run, long beganNanos) {
        boolean isRead = false;
        Chunk first = run.get(0);
        try {
            files.read(first.file(), first.index() * chunkBytes, run);
            isRead = true;
        } catch (IOException e) {
            // whoever wants these bytes reads them from the file, and meets the reason
        } finally {
            long endNanos = nanoClock.getAsLong();
            long nanos = endNanos - beganNanos;
            List<Chunk> read = isRead ? run : List.of();
            busyNanos.add(nanos);
            readNanos.accept(Math.max(0, nanos - bytes(read.stream()) * TRANSFER_NANOS_PER_BYTE));
            ceiling.reserve(bytes(read.stream().filter(chunk -> !chunk.isExempt())), endNanos);
            wake(chunks.finish(run, isRead, endNanos));
        }
    }

    private static long bytes(Stream<Chunk> run) {
        return run.mapToLong(Chunk::bytes).sum();
    }

    /** All of them, whatever one of them throws (R3). */
    private static void wake(List<ColdSend> sends) {
        for (int i = 0; i < sends.size(); i++) {
            try {
                sends.get(i).wake();
            } catch (RuntimeException | Error e) {
                wake(sends.subList(i + 1, sends.size()));
                throw e;
            }
        }
    }
}

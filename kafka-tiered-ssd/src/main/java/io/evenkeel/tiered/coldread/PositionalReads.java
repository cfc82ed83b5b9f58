/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import io.evenkeel.tiered.disk.SegmentReads;
import io.evenkeel.tiered.file.BackingFile;
import io.evenkeel.tiered.file.CurrentFile;
import io.evenkeel.tiered.file.DeviceFallback;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import org.jspecify.annotations.Nullable;

/**
 * The reads of a segment's channel that take no lock: from the cold reader's memory where it has the bytes, else from
 * the file that the channel is on (C1, C3, C6 of the channel). Thread safe.
 */
public final class PositionalReads {
    /**
     * The most that one transfer sends. A socket with room for a whole fetch would keep its network thread busy for
     * megabytes, and the other connections of that thread would wait. So a send gives way after this, and continues
     * when the others have had their turn.
     */
    public static final long LONGEST_TRANSFER_BYTES = 128 << 10;

    private final CurrentFile current;
    private final DeviceFallback fallback;
    private final SegmentReads counts;
    private final ColdReads coldReads;

    public PositionalReads(CurrentFile current, DeviceFallback fallback, SegmentReads counts, ColdReads coldReads) {
        this.current = current;
        this.fallback = fallback;
        this.counts = counts;
        this.coldReads = coldReads;
    }

    /**
     * How many of the bytes can be sent without waiting for a device; when none can, they will be read.
     *
     * @param send woken once when 0 is returned. Null: nothing is read
     */
    public long sendable(long position, long count, @Nullable ColdSend send) {
        BackingFile pinned = current.pin();
        try {
            return coldReads.sendable(pinned, position, count, send);
        } finally {
            pinned.unpin();
        }
    }

    /** The channel has left this file for one on another device. */
    public void left(BackingFile file) {
        coldReads.left(file);
    }

    /** As {@link ColdReads#mayWait}. */
    public boolean mayWait() {
        return coldReads.mayWait(current.get());
    }

    /** As {@link ColdReads#isOnHddAlone}. */
    public boolean areFromHddAlone() {
        return coldReads.isOnHddAlone(current.get());
    }

    public int read(ByteBuffer dst, long position) throws IOException {
        BackingFile pinned = current.pin();
        try {
            int n = coldReads.read(pinned, dst, position);
            if (n != ColdReader.NOT_THERE) {
                counts.served(pinned.device(), position, n);
                return n;
            }
        } finally {
            pinned.unpin();
        }
        return readFile(dst, position);
    }

    /** The same, from the file itself. */
    public int readFile(ByteBuffer dst, long position) throws IOException {
        while (true) {
            BackingFile pinned = current.pin();
            try {
                long begunNanos = counts.begin(pinned.device());
                int n = pinned.channel().read(dst, position);
                counts.end(pinned.device(), begunNanos, position, n);
                return n;
            } catch (IOException e) {
                if (!fallback.readFailed(pinned, position, e)) { // C6
                    throw e;
                }
            } finally {
                pinned.unpin();
            }
        }
    }

    /**
     * Transfers at most {@value #LONGEST_TRANSFER_BYTES} bytes; callers of any {@code transferTo} have to expect that.
     */
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        long bytes = Math.min(count, LONGEST_TRANSFER_BYTES);
        long sent = sendFromMemory(position, bytes, target);
        return sent != ColdReader.NOT_THERE ? sent : transferFile(position, bytes, target);
    }

    /** A failure here is one of the connection: no disk is to be asked whether it was its fault. */
    private long sendFromMemory(long position, long bytes, WritableByteChannel target) throws IOException {
        BackingFile pinned = current.pin();
        try {
            long sent = coldReads.send(position, bytes, target);
            if (sent != ColdReader.NOT_THERE) {
                counts.served(pinned.device(), position, sent);
            }
            return sent;
        } finally {
            pinned.unpin();
        }
    }

    private long transferFile(long position, long bytes, WritableByteChannel target) throws IOException {
        while (true) {
            BackingFile pinned = current.pin();
            try {
                long begunNanos = counts.begin(pinned.device());
                long n = pinned.channel().transferTo(position, bytes, target);
                counts.end(pinned.device(), begunNanos, position, n);
                return n;
            } catch (IOException e) {
                if (!fallback.readFailed(pinned, position, e)) { // C6
                    throw e;
                }
            } finally {
                pinned.unpin();
            }
        }
    }
}

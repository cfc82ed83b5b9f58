/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.core.RateLimiter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A simulation: 64 consumers read different data of eight partitions each, from an HDD of 100 MB/s, with 64 MiB. */
class ManyLaggardsTest {
    private static final int LAGGARDS = 64;
    private static final int PARTITIONS = 8;
    private static final int PER_PARTITION = 1 << 20;
    private static final int POOL_BYTES = 64 << 20;
    private static final long SEEK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final double NANOS_PER_BYTE = 10;
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(60);

    private long nowNanos = 1;
    private long read;
    private @Nullable Part lastPart;
    private long lastEnd;

    private final ColdReader reader = new ColdReader(
            ColdReaders.CHUNK_BYTES,
            POOL_BYTES / ColdReaders.CHUNK_BYTES,
            ByteBuffer::allocate,
            () -> nowNanos,
            nanos -> {},
            new RateLimiter(Long.MAX_VALUE, 0));

    /** What a laggard reads of a partition. */
    private final class Part implements ColdFile.Source {
        final ColdFile file = new ColdFile(this);
        /** Records end anywhere in a chunk. */
        long position = 1000;

        @Override
        public @Nullable FileChannel openDirect() {
            return null;
        }

        @Override
        public int readBuffered(ByteBuffer dst, long from) {
            if (lastPart != this || lastEnd != from) {
                nowNanos += SEEK_NANOS;
            }
            int n = dst.remaining();
            nowNanos += (long) (n * NANOS_PER_BYTE);
            read += n;
            lastPart = this;
            lastEnd = from + n;
            dst.position(dst.limit());
            return n;
        }
    }

    private final class Laggard implements ColdSend {
        final List<Part> parts = new ArrayList<>();
        long sinceNanos = nowNanos;
        int part;
        long left = PER_PARTITION;
        long sent;

        Laggard() {
            for (int i = 0; i < PARTITIONS; i++) {
                parts.add(new Part());
            }
        }

        @Override
        public void wake() {
            ready.add(this);
        }

        @Override
        public long sinceNanos() {
            return sinceNanos;
        }

        /** Sends until bytes are missing, response after response. */
        void send() throws IOException {
            while (true) {
                Part from = parts.get(part);
                long most = Math.min(left, PositionalReads.LONGEST_TRANSFER_BYTES);
                long there = reader.inMemory(from.file, from.position, most);
                if (there == 0 && reader.request(from.file, from.position, left, this) == 0) {
                    return;
                }
                long n = there == 0 ? 0 : reader.send(from.file, from.position, there, NOWHERE);
                from.position += n;
                sent += n;
                left -= n;
                if (left == 0) {
                    left = PER_PARTITION;
                    part = (part + 1) % PARTITIONS;
                    sinceNanos = part == 0 ? nowNanos : sinceNanos;
                }
            }
        }
    }

    private static final WritableByteChannel NOWHERE = new WritableByteChannel() {
        @Override
        public int write(ByteBuffer src) {
            int n = src.remaining();
            src.position(src.limit());
            return n;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {
            // nothing to close
        }
    };

    private final Queue<Laggard> ready = new ArrayDeque<>();

    @Test
    void theyGetNearlyAllThatTheHddReadsAndNobodyStarves() throws IOException {
        reader.start(() -> {});
        List<Laggard> laggards = new ArrayList<>();
        for (int i = 0; i < LAGGARDS; i++) {
            laggards.add(new Laggard());
        }
        ready.addAll(laggards);
        while (nowNanos < END_NANOS) {
            for (Laggard next = ready.poll(); next != null; next = ready.poll()) {
                next.send();
            }
            long waitNanos = reader.step(nowNanos);
            nowNanos += Math.min(waitNanos, TimeUnit.MILLISECONDS.toNanos(2));
        }
        double seconds = END_NANOS / 1e9;
        long sent = laggards.stream().mapToLong(laggard -> laggard.sent).sum();
        long least = laggards.stream().mapToLong(laggard -> laggard.sent).min().orElseThrow();
        System.out.printf(
                "sent %.1f, read %.1f MB/s; least %.2f MB/s%n",
                sent / 1e6 / seconds, read / 1e6 / seconds, least / 1e6 / seconds);
        assertThat(sent).isGreaterThan((long) (0.9 * read));
        assertThat(sent / 1e6 / seconds).isGreaterThan(60);
        assertThat(least).isGreaterThan(sent / LAGGARDS / 2);
    }
}

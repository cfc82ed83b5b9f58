/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.core.Worker;
import io.evenkeel.tiered.api.TierSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** C1 and C3 with real threads: segments are copied and evicted while others read them, and no reader notices. */
class MovesUnderReadersTest {
    private static final int EVICTIONS = 40;
    private static final int BYTES = 300_000;

    @TempDir
    Path root;

    private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean done = new AtomicBoolean();
    private final AtomicLong reads = new AtomicLong();

    @Test
    @Timeout(120)
    void readersSeeTheSameBytesAllTheTime() throws Exception {
        FakeBroker broker = new FakeBroker(root, 1, 1, 4L << 20);
        List<Worker> workers = new ArrayList<>();
        broker.tier()
                .workers(broker.ceilings, System::currentTimeMillis)
                .forEach((name, step) ->
                        workers.add(new Worker(name, step, (worker, failure) -> failures.add(failure)).start()));
        List<FileChannel> channels = Collections.synchronizedList(new ArrayList<>());
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Thread reader = new Thread(() -> readAllTheTime(channels), "reader-" + i);
            reader.start();
            readers.add(reader);
        }
        Path partition = broker.partition("topic-0");
        for (int i = 0; broker.tier().snapshot().evictedSegments() < EVICTIONS && failures.isEmpty(); i++) {
            FileChannel channel = broker.open(FakeBroker.segment(partition, i));
            FakeBroker.append(channel, content(i));
            channels.add(channel);
            while (settled(broker.tier().snapshot()) < i - 2 && failures.isEmpty()) {
                Thread.onSpinWait();
            }
        }
        done.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        for (Worker worker : workers) {
            worker.close(10_000);
        }
        assertThat(failures).isEmpty();
        assertThat(broker.tier().snapshot().hddUse().readBytes()).isPositive();
        assertThat(reads.get()).isPositive();
    }

    /** Segments that are copied, or were never on the SSD. */
    private static long settled(TierSnapshot snapshot) {
        return snapshot.copiedSegments() + snapshot.refusedBySsd();
    }

    private static byte[] content(int segment) {
        byte[] bytes = new byte[BYTES];
        for (int i = 0; i < BYTES; i++) {
            bytes[i] = (byte) (i % 251 + segment);
        }
        return bytes;
    }

    private void readAllTheTime(List<FileChannel> channels) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
        try {
            for (int i = 0; !done.get(); i++) {
                if (channels.isEmpty()) {
                    continue;
                }
                int segment = i % channels.size();
                boolean transfer = i % 2 == 0;
                buffer.clear();
                FileChannel channel = channels.get(segment);
                if (transfer) {
                    while (buffer.hasRemaining()
                            && channel.transferTo(buffer.position(), buffer.remaining(), new Into(buffer)) > 0) {
                        // until it is full
                    }
                } else {
                    while (buffer.hasRemaining() && channel.read(buffer, buffer.position()) > 0) {
                        // until it is full
                    }
                }
                check(segment, buffer.flip());
                reads.incrementAndGet();
            }
        } catch (IOException | RuntimeException | Error e) {
            failures.add(e);
        }
    }

    private static void check(int segment, ByteBuffer found) {
        ByteBuffer expected = ByteBuffer.wrap(content(segment));
        if (!found.equals(expected)) {
            throw new AssertionError("segment " + segment + " differs at " + found.mismatch(expected));
        }
    }

    /** A target for {@code transferTo}. */
    private record Into(ByteBuffer buffer) implements WritableByteChannel {
        @Override
        public int write(ByteBuffer src) {
            int bytes = src.remaining();
            buffer.put(src);
            return bytes;
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public void close() {}
    }
}

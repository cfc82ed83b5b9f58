/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.errorprone.annotations.Immutable;
import io.evenkeel.tiered.disk.RetiredFile;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Append, read, size, truncation, close, the copier and the evictor on one segment: each is interrupted by each, before
 * each of its file operations, in each state. What both find must be what they would have found one after the other on
 * a mere sequence of bytes (C1 to C5, S1 to S5).
 */
@Timeout(120)
class InterruptedStepsTest {
    /** What a segment can be asked for. */
    interface Bytes {
        void append(int value) throws IOException;

        int read(int position) throws IOException;

        long size() throws IOException;

        void truncate(int size) throws IOException;

        void close() throws IOException;

        void copy() throws IOException;

        void evict() throws IOException;
    }

    /** Answers what it found, if it finds something. */
    @Immutable
    private interface Operation {
        Object run(Bytes bytes) throws IOException;
    }

    private enum Kind implements Operation {
        APPEND(bytes -> {
            bytes.append(5);
            return "";
        }),
        READ(bytes -> bytes.read(0)),
        READ_END(bytes -> bytes.read(1)),
        SIZE(Bytes::size),
        TRUNCATE(bytes -> {
            bytes.truncate(0);
            return "";
        }),
        CLOSE(bytes -> {
            bytes.close();
            return "";
        }),
        COPY(bytes -> {
            bytes.copy();
            return "";
        }),
        EVICT(bytes -> {
            bytes.evict();
            return "";
        });

        private final Operation operation;

        Kind(Operation operation) {
            this.operation = operation;
        }

        /** What it finds, or how it fails. */
        @Override
        public Object run(Bytes bytes) {
            try {
                return operation.run(bytes);
            } catch (ClosedChannelException e) {
                return "closed";
            } catch (IOException e) {
                return e;
            }
        }
    }

    /** What leads to each state. */
    private static final List<List<Kind>> BEGINNINGS =
            List.of(List.of(), List.of(Kind.COPY), List.of(Kind.COPY, Kind.EVICT));

    /** What the channel is to be taken for. */
    static class SequenceOfBytes implements Bytes {
        private byte[] bytes = {7};
        private boolean closed;

        private void demandOpen() throws IOException {
            if (closed) {
                throw new ClosedChannelException();
            }
        }

        @Override
        public void append(int value) throws IOException {
            demandOpen();
            bytes = Arrays.copyOf(bytes, bytes.length + 1);
            bytes[bytes.length - 1] = (byte) value;
        }

        @Override
        public int read(int position) throws IOException {
            demandOpen();
            return position < bytes.length ? bytes[position] : -1;
        }

        @Override
        public long size() throws IOException {
            demandOpen();
            return bytes.length;
        }

        @Override
        public void truncate(int size) throws IOException {
            demandOpen();
            bytes = Arrays.copyOf(bytes, Math.min(bytes.length, size));
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public void copy() {}

        @Override
        public void evict() {}
    }

    /** The evictor closes what it has left, readers or not: C1 broken. */
    static class ClosedUnderReaders extends SegmentOnTwoDisks {
        @Override
        public void evict() throws IOException {
            super.evict();
            for (RetiredFile retired : ssd.retired()) {
                retired.backingFile().channel().close();
            }
        }
    }

    /** The copier takes the segment for what it was when the copy was made: S3 broken. */
    static class PublishedWhateverHappened extends SegmentOnTwoDisks {
        @Override
        void publish(CopyTicket ticket) throws IOException {
            CopyTicket later = segment.beginCopy();
            super.publish(later == null ? ticket : later);
        }
    }

    @Test
    void eachIsAsIfItWereAlone() throws InterruptedException {
        int ways = interruptAll(SegmentOnTwoDisks::new);
        System.out.println(ways + " interleavings");
        assertThat(ways).isGreaterThan(200);
    }

    /** This can fail. */
    @Test
    void brokenRulesAreNoticed() {
        assertThatThrownBy(() -> interruptAll(ClosedUnderReaders::new))
                .hasMessageContaining("READ interrupted by EVICT before step 1");
        assertThatThrownBy(() -> interruptAll(PublishedWhateverHappened::new))
                .hasMessageContaining("COPY interrupted by APPEND");
    }

    /** Answers in how many ways. */
    private static int interruptAll(Supplier<SegmentOnTwoDisks> fresh) throws InterruptedException {
        int ways = 0;
        for (List<Kind> beginning : BEGINNINGS) {
            for (Kind first : Kind.values()) {
                for (Kind second : Kind.values()) {
                    int step = 1;
                    while (interrupt(fresh.get(), beginning, first, second, step)) {
                        step++;
                        ways++;
                    }
                }
            }
        }
        return ways;
    }

    /** False when the first has no such step. */
    private static boolean interrupt(SegmentOnTwoDisks disks, List<Kind> beginning, Kind first, Kind second, int step)
            throws InterruptedException {
        beginning.forEach(kind -> kind.run(disks));
        AtomicReference<Object> secondFound = new AtomicReference<>("");
        Thread other = new Thread(() -> secondFound.set(second.run(disks)));
        Thread self = Thread.currentThread();
        AtomicInteger steps = new AtomicInteger();
        disks.files.beforeStep(() -> {
            if (Thread.currentThread() == self && steps.incrementAndGet() == step) {
                other.start();
                awaitEndOrLock(other);
            }
        });
        Object firstFound = first.run(disks);
        disks.files.beforeStep(() -> {});
        if (steps.get() < step) {
            return false;
        }
        other.join();
        String way = first + " interrupted by " + second + " before step " + step + " after " + beginning;
        List<Object> found = found(disks, firstFound, Objects.requireNonNull(secondFound.get()));
        assertThat(List.of(expected(first, second, false), expected(first, second, true)))
                .as(way)
                .contains(found);
        disks.nameLeadsToTheBytes(way);
        return true;
    }

    private static void awaitEndOrLock(Thread thread) {
        while (thread.isAlive() && thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    private static List<Object> expected(Kind first, Kind second, boolean swapped) {
        SequenceOfBytes bytes = new SequenceOfBytes();
        Object early = (swapped ? second : first).run(bytes);
        Object late = (swapped ? first : second).run(bytes);
        return found(bytes, swapped ? late : early, swapped ? early : late);
    }

    /** What both found, and what is there afterwards. */
    private static List<Object> found(Bytes bytes, Object first, Object second) {
        return List.of(first, second, Kind.READ.run(bytes), Kind.READ_END.run(bytes), Kind.SIZE.run(bytes));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.core.RateLimiter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ColdReaderTest {
    private static final int CHUNK = 64 << 10;
    private static final int CHUNKS = 3;

    private final List<String> woken = new ArrayList<>();
    private final TestFile one = new TestFile(1, 10 * CHUNK + 100);
    private final TestFile two = new TestFile(2, 10 * CHUNK);
    private final ColdFile file = new ColdFile(one);
    private final ColdFile other = new ColdFile(two);
    private long nowNanos = 1;
    private int memory = Integer.MAX_VALUE;
    private final RateLimiter ceiling = new RateLimiter(Long.MAX_VALUE, 0);
    private final ColdReader reader =
            new ColdReader(CHUNK, CHUNKS, this::allocate, () -> nowNanos, nanos -> {}, ceiling);

    @BeforeEach
    void start() {
        reader.start(() -> {});
    }

    @Test
    void whatIsNotThereIsReadAndTheSendIsWokenOnce() throws Exception {
        assertThat(request(file, CHUNK + 10)).isZero();
        assertThat(reader.read(file, CHUNK + 10, ByteBuffer.allocate(1))).isEqualTo(ColdReader.NOT_THERE);
        step();
        assertThat(woken).containsExactly("1@" + (CHUNK + 10));
        assertThat(inMemory(reader, file, CHUNK + 10, CHUNK)).isEqualTo(CHUNK - 10);
        assertThat(inMemory(reader, file, CHUNK + 10, 5)).isEqualTo(5);
        assertThat(bytes(file, CHUNK + 10, 1000)).isEqualTo(one.bytes(CHUNK + 10, 1000));
        assertThat(woken).hasSize(1);
        assertThat(reader.stats().waitingSends()).isZero();
    }

    @Test
    void allWhoWantAChunkGetItFromOneRead() throws Exception {
        request(file, 0);
        request(file, 10);
        request(file, CHUNK - 1);
        step();
        assertThat(woken).hasSize(3);
        assertThat(one.reads).as("and what two of them want behind it").containsExactly(0L, (long) CHUNK);
    }

    @Test
    void whatFollowsInAFileIsReadWithItAndWhatWaitsForABufferKeepsItsPlace() throws Exception {
        reader.request(file, 0, 4L * CHUNK, () -> woken.add("1@0"));
        request(other, 0);
        for (int i = 0; i < 3; i++) {
            step();
            for (int chunk = 0; chunk < 4; chunk++) {
                reader.read(file, (long) chunk * CHUNK, ByteBuffer.allocate(CHUNK));
            }
            come();
        }
        assertThat(order()).as("three buffers").containsExactly("1@0", "1@1", "1@2", "1@3", "2@0");
    }

    /**
     * Else all of many would be in the middle of their responses, and their chunks gone when they come for the rest.
     */
    @Test
    void theFetchThatCameInFirstIsServedFirst() throws Exception {
        requestFetched(file, 0, 30);
        requestFetched(file, 3L * CHUNK, 10);
        requestFetched(other, 0, 20);
        step();
        requestFetched(file, 5L * CHUNK, 10);
        for (int i = 0; i < 3; i++) {
            step();
            come();
        }
        assertThat(order()).containsExactly("1@3", "1@5", "2@0", "1@0");
    }

    private void requestFetched(ColdFile of, long position, long fetchedNanos) {
        request(of, position, false, fetchedNanos);
    }

    @Test
    void aRequestHandlerComesFirst() throws Exception {
        request(file, 0);
        request(file, 5L * CHUNK);
        CompletableFuture<Void> handler = CompletableFuture.runAsync(() -> reader.await(other, 3L * CHUNK));
        awaitQueued(3);
        step();
        handler.get(30, TimeUnit.SECONDS);
        assertThat(order()).containsExactly("2@3");
        assertThat(reader.read(other, 3L * CHUNK, ByteBuffer.allocate(10))).isEqualTo(10);
    }

    @Test
    void theNextChunksAreReadAheadWhileNobodyWaits() throws Exception {
        request(file, 0);
        for (int i = 0; i < 6; i++) {
            step();
            come();
        }
        assertThat(order()).containsExactly("1@0", "1@1", "1@2", "1@3");
        assertThat(inMemory(reader, file, 3L * CHUNK, CHUNK)).isEqualTo(CHUNK);
    }

    @Test
    void nothingIsReadAheadBehindTheEndOfTheFile() throws Exception {
        request(file, 10L * CHUNK);
        step();
        assertThat(reader.step(nowNanos)).isEqualTo(Long.MAX_VALUE);
        assertThat(inMemory(reader, file, 10L * CHUNK, CHUNK)).isEqualTo(100);
        assertThat(request(file, 10L * CHUNK + 100))
                .as("as FileChannel decides")
                .isEqualTo(CHUNK);
        assertThat(reader.read(file, 10L * CHUNK + 100, ByteBuffer.allocate(1))).isEqualTo(ColdReader.NOT_THERE);
    }

    @Test
    void r4AWokenSendFindsItsChunkUntilItsLeaseIsOver() throws Exception {
        for (int i = 0; i < CHUNKS + 1; i++) {
            request(i < 2 ? file : other, i * 3L * CHUNK);
        }
        for (int i = 0; i < CHUNKS; i++) {
            assertThat(reader.step(nowNanos)).isZero();
        }
        assertThat(reader.step(nowNanos)).as("all are leased").isPositive();
        reader.read(file, 0, ByteBuffer.allocate(CHUNK - 1));
        assertThat(reader.step(nowNanos)).as("one has come, and is not through").isPositive();
        reader.read(file, CHUNK - 1, ByteBuffer.allocate(1));
        assertThat(reader.step(nowNanos)).as("one is through").isZero();
        assertThat(inMemory(reader, file, 0, 1)).isZero();
        request(file, 9L * CHUNK);
        assertThat(reader.step(nowNanos)).isPositive();
        nowNanos += TimeUnit.SECONDS.toNanos(1);
        assertThat(reader.step(nowNanos)).as("nobody came").isZero();
    }

    /** Else a later fetch would take what an earlier one comes for next, and the disk would read it twice. */
    @Test
    void r4WhatWasReadBehindAChunkStaysForAMoment() throws Exception {
        reader.request(file, 0, 2L * CHUNK, () -> woken.add("1@0"));
        request(other, 0);
        request(other, 2L * CHUNK);
        step();
        step();
        assertThat(reader.step(nowNanos)).as("all buffers are in use").isPositive();
        assertThat(inMemory(reader, file, CHUNK, 1)).isEqualTo(1);
        nowNanos += TimeUnit.MILLISECONDS.toNanos(250);
        assertThat(reader.step(nowNanos)).as("nobody came").isZero();
        assertThat(inMemory(reader, file, CHUNK, 1)).isZero();
        assertThat(inMemory(reader, file, 0, 1)).isEqualTo(1);
    }

    @Test
    void r3ASendWhoseChunkHasComeMeanwhileIsWokenAtOnce() throws Exception {
        request(file, 0);
        step();
        woken.clear();
        assertThat(request(file, 0)).isZero();
        assertThat(woken).containsExactly("1@0");
        assertThat(reader.stats().waitingSends()).isZero();
    }

    /** Else a network thread would wait for the disk. */
    @Test
    void r6WhatASendIsToldToSendStaysInMemoryWhateverBecomesOfTheFile() throws Exception {
        request(file, 0);
        step();
        assertThat(HeldChunk.hold(one, reader, file, 10, 20)).isEqualTo(20);
        reader.read(file, CHUNK - 1, ByteBuffer.allocate(1));
        for (int i = 0; i < CHUNKS; i++) {
            CompletableFuture<Void> handler = handlerWants(other, i * 2L * CHUNK);
            step();
            handler.get(30, TimeUnit.SECONDS);
        }
        reader.forget(file);
        one.version = 7;
        assertThat(HeldChunk.read(two, 10, ByteBuffer.allocate(1)))
                .as("another segment")
                .isEqualTo(ColdReader.NOT_THERE);
        assertThat(HeldChunk.read(one, CHUNK, ByteBuffer.allocate(1)))
                .as("another chunk")
                .isEqualTo(ColdReader.NOT_THERE);
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        assertThat(HeldChunk.send(one, 10, 20, Channels.newChannel(target))).isEqualTo(20);
        one.version = 0;
        assertThat(target.toByteArray()).isEqualTo(one.bytes(10, 20));
        HeldChunk.letGo();
        assertThat(HeldChunk.read(one, 10, ByteBuffer.allocate(1))).isEqualTo(ColdReader.NOT_THERE);
        for (int i = 0; i < CHUNKS; i++) {
            nowNanos += TimeUnit.SECONDS.toNanos(1);
            request(other, (i * 2L + 1) * CHUNK);
            step();
        }
        assertThat(woken).as("its buffer is free again").hasSize(1 + CHUNKS);
    }

    @Test
    void r5NeverMoreBuffersThanAllowed() throws Exception {
        for (int i = 0; i < 10; i++) {
            request(file, (long) i * CHUNK);
            step();
            come();
        }
        assertThat(reader.stats().bufferBytes()).isEqualTo((long) CHUNKS * CHUNK);
    }

    @Test
    void r5WithoutMemoryForMoreBuffersThoseThatExistHaveToDo() throws Exception {
        memory = CHUNK;
        for (int i = 0; i < 4; i++) {
            request(file, 2L * i * CHUNK);
            step();
            come();
        }
        assertThat(reader.stats().bufferBytes()).isEqualTo(CHUNK);
        assertThat(order()).containsExactly("1@0", "1@2", "1@4", "1@6");
    }

    @Test
    void r5WithoutMemoryForAnyBufferTheReaderStops() {
        memory = 0;
        request(file, 0);
        assertThatThrownBy(this::step).isInstanceOf(OutOfMemoryError.class);
        assertThat(woken).hasSize(1);
        assertThat(reader.isOn()).isFalse();
        assertThat(request(file, 0)).isEqualTo(CHUNK);
    }

    private ByteBuffer allocate(int bytes) {
        if (memory < bytes) {
            throw new OutOfMemoryError("of the test");
        }
        memory -= bytes;
        return ByteBuffer.allocate(bytes);
    }

    @Test
    void r2AFileThatHasChangedIsReadAnew() throws Exception {
        request(file, 0);
        step();
        request(file, CHUNK);
        reader.forget(file);
        assertThat(woken).as("R3").contains("1@" + CHUNK);
        assertThat(inMemory(reader, file, 0, 1)).isZero();
        assertThat(request(file, 0)).as("the file itself").isEqualTo(CHUNK);
        one.version = 7;
        ColdFile changed = new ColdFile(one);
        request(changed, 0);
        step();
        assertThat(bytes(changed, 0, 10)).isEqualTo(one.bytes(0, 10));
    }

    @Test
    void r2WhatIsBeingReadWhenItsFileChangesIsThrownAway() throws Exception {
        request(file, 0);
        one.duringRead = () -> reader.forget(file);
        step();
        assertThat(woken).hasSize(1);
        assertThat(inMemory(reader, file, 0, 1)).isZero();
        for (int i = 0; i < CHUNKS; i++) {
            request(other, i * 2L * CHUNK);
            step();
        }
        assertThat(woken).as("its buffer is free again").hasSize(1 + CHUNKS);
    }

    @Test
    void r3WhoWaitsForAChunkThatCannotBeReadReadsTheFileAndMeetsTheReason() throws Exception {
        one.broken = true;
        request(file, 0);
        step();
        assertThat(woken).hasSize(1);
        assertThat(request(file, 0)).isEqualTo(CHUNK);
        one.broken = false;
        nowNanos += TimeUnit.SECONDS.toNanos(10);
        assertThat(request(file, 0)).as("tried again later").isZero();
        step();
        assertThat(inMemory(reader, file, 0, CHUNK)).isEqualTo(CHUNK);
    }

    @Test
    void r3WhoWaitsIsWokenWhenTheReaderStopsAlsoWhileItHangs() throws Exception {
        request(file, 0);
        request(other, 0);
        CompletableFuture<Void> handler = CompletableFuture.runAsync(() -> reader.await(other, CHUNK));
        awaitQueued(3);
        one.duringRead = reader::stop;
        two.duringRead = reader::stop;
        step();
        handler.get(30, TimeUnit.SECONDS);
        assertThat(woken).containsExactlyInAnyOrder("1@0", "2@0");
        assertThat(request(file, 0)).isEqualTo(CHUNK);
    }

    @Test
    void theCeilingHolds() throws Exception {
        ceiling.rate(CHUNK, nowNanos);
        request(file, 0);
        request(file, 5L * CHUNK);
        step();
        assertThat(reader.step(nowNanos)).isBetween(990_000_000L, 1_010_000_000L);
        nowNanos += TimeUnit.SECONDS.toNanos(2);
        assertThat(reader.step(nowNanos)).isZero();
        assertThat(one.reads).containsExactly(0L, 5L * CHUNK);
    }

    /** It holds a lock of Kafka's. */
    @Test
    void theCeilingHoldsUpNoRequestHandler() throws Exception {
        ceiling.rate(1, nowNanos);
        request(file, 0);
        step();
        request(file, 5L * CHUNK);
        assertThat(reader.step(nowNanos))
                .as("looks again soon, as the ceiling may rise")
                .isEqualTo(1_000_000_000L);
        CompletableFuture<Void> handler = CompletableFuture.runAsync(() -> reader.await(other, 0));
        awaitQueued(2);
        while (!handler.isDone()) {
            step();
        }
        assertThat(order()).containsExactly("1@0", "2@0");
    }

    /** One bad sector must not fail the records before and behind it. */
    @Test
    void chunksThatCannotBeReadTogetherAreReadOneByOne() throws Exception {
        ColdReader more = new ColdReader(CHUNK, 40, ByteBuffer::allocate, () -> nowNanos, nanos -> {}, ceiling);
        more.start(() -> {});
        one.brokenFrom = 2L * CHUNK;
        more.request(file, 0, 4L * CHUNK, () -> woken.add("all"));
        while (more.step(nowNanos) == 0) {
            assertThat(woken.size()).isLessThanOrEqualTo(1);
        }
        assertThat(woken).hasSize(1);
        assertThat(inMemory(more, file, CHUNK, 10)).isEqualTo(10);
        assertThat(more.request(file, 2L * CHUNK, 10, () -> {}))
                .as("the file itself")
                .isEqualTo(10);
        assertThat(inMemory(more, file, 2L * CHUNK, 10)).isZero();
    }

    /** Handlers come first, but do not change whose turn it is. */
    @Test
    void consumersHaveTheirTurnsWhateverHandlersWant() throws Exception {
        request(file, 0);
        for (long chunk = 0; chunk < 6; chunk += 2) {
            requestByReplica(other, chunk * CHUNK);
            CompletableFuture<Void> handler = handlerWants(file, (chunk + 3) * CHUNK);
            while (!handler.isDone()) {
                step();
            }
            step();
            come();
        }
        assertThat(order()).contains("1@0");
    }

    private CompletableFuture<Void> handlerWants(ColdFile of, long position) throws InterruptedException {
        long queued = reader.stats().queued();
        CompletableFuture<Void> handler = CompletableFuture.runAsync(() -> reader.await(of, position));
        awaitQueued((int) queued + 1);
        return handler;
    }

    @Test
    void r3AllAreWokenWhateverOneOfThemThrows() throws Exception {
        reader.request(file, 0, CHUNK, () -> {
            throw new IllegalStateException("of the test");
        });
        request(file, 10);
        assertThatThrownBy(this::step).hasMessage("of the test");
        assertThat(woken).containsExactly("1@10");
    }

    /** Else it falls behind, and the cluster with it. */
    @Test
    void replicasAndConsumersTakeTurnsAndTheCeilingIsForConsumersAlone() throws Exception {
        for (long chunk = 0; chunk < 6; chunk += 2) {
            request(file, chunk * CHUNK);
        }
        requestByReplica(other, 0);
        requestByReplica(other, 2L * CHUNK);
        for (int i = 0; i < 4; i++) {
            step();
            come();
        }
        assertThat(order()).containsExactly("2@0", "1@0", "2@2", "1@2");
        ceiling.rate(1, nowNanos);
        ceiling.reserve(100, nowNanos);
        requestByReplica(other, 4L * CHUNK);
        step();
        assertThat(order()).endsWith("1@2", "2@4");
        assertThat(reader.step(nowNanos)).as("a consumer has to wait").isPositive();
    }

    @Test
    void aChunkThatAReaderIsInStaysLongerThanOneThatWasReadToItsEnd() throws Exception {
        for (int i = 0; i < CHUNKS; i++) {
            request(other, i * 2L * CHUNK);
            step();
        }
        reader.read(other, 0, ByteBuffer.allocate(10));
        reader.read(other, 2L * CHUNK, ByteBuffer.allocate(CHUNK));
        nowNanos += TimeUnit.SECONDS.toNanos(2);
        request(file, 0);
        step();
        assertThat(inMemory(reader, other, 0, 1)).isEqualTo(1);
        assertThat(inMemory(reader, other, 2L * CHUNK, 1)).isZero();
    }

    @Test
    void aSendWhoseClientOwesIsWokenWhenThatIsPaidFor() throws Exception {
        AtomicLong owedNanos = new AtomicLong(500);
        ColdSend late = new ColdSend() {
            @Override
            public void wake() {
                woken.add("late");
            }

            @Override
            public long owedNanos() {
                return owedNanos.get();
            }
        };
        assertThat(reader.delays(late)).isTrue();
        assertThat(reader.step(nowNanos)).isEqualTo(500);
        nowNanos += 500;
        owedNanos.set(0);
        step();
        assertThat(woken).containsExactly("late");
        assertThat(reader.delays(late)).isFalse();
        owedNanos.set(Long.MAX_VALUE);
        assertThat(reader.delays(late)).isTrue();
        assertThat(reader.step(nowNanos))
                .as("looks again soon, as the ceiling may rise")
                .isEqualTo(TimeUnit.SECONDS.toNanos(1));
        reader.stop();
        assertThat(woken).as("R3").containsExactly("late", "late");
    }

    /** Else each of them waits, and a request handler for its header. */
    @Test
    void aReaderThatIsServedFromMemoryIsReadAheadFor() throws Exception {
        List<String> wakes = new ArrayList<>();
        ColdReader ahead = new ColdReader(CHUNK, 40, ByteBuffer::allocate, () -> nowNanos, nanos -> {}, ceiling);
        ahead.start(() -> wakes.add("now"));
        ahead.request(file, 0, CHUNK, () -> {});
        while (ahead.step(nowNanos) == 0) {
            wakes.clear();
        }
        for (long chunk = 0; chunk < 6; chunk++) {
            assertThat(ahead.read(file, chunk * CHUNK, ByteBuffer.allocate(CHUNK)))
                    .isEqualTo(CHUNK);
        }
        assertThat(wakes).isNotEmpty();
        assertThat(ahead.step(nowNanos)).isZero();
        assertThat(inMemory(ahead, file, 10L * CHUNK, 100)).isEqualTo(100);
    }

    private void requestByReplica(ColdFile of, long position) {
        request(of, position, true, 0);
    }

    private long request(ColdFile of, long position) {
        return request(of, position, false, 0);
    }

    private long request(ColdFile of, long position, boolean toReplica, long fetchedNanos) {
        String name = (of.source() == two ? "2@" : "1@") + position;
        return reader.request(of, position, CHUNK, new ColdSend() {
            @Override
            public void wake() {
                woken.add(name);
            }

            @Override
            public boolean isToReplica() {
                return toReplica;
            }

            @Override
            public long fetchedNanos() {
                return fetchedNanos;
            }
        });
    }

    private void step() throws IOException {
        reader.step(nowNanos);
    }

    /** Who was woken comes and reads its chunk. */
    private void come() {
        for (String who : woken) {
            String[] parts = who.split("@", 2);
            ColdFile of = parts[0].equals("1") ? file : other;
            reader.request(of, Long.parseLong(parts[1]), 1, () -> {});
            reader.read(of, Long.parseLong(parts[1]), ByteBuffer.allocate(CHUNK));
        }
        woken.clear();
    }

    private List<String> order() {
        return TestFile.ORDER.get();
    }

    private void awaitQueued(int count) throws InterruptedException {
        while (reader.stats().queued() < count) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private byte[] bytes(ColdFile of, long position, int count) {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        assertThat(reader.read(of, position, bytes)).isEqualTo(count);
        return bytes.array();
    }

    private static long inMemory(ColdReader of, ColdFile file, long position, long most) {
        Chunk chunk = of.pin(file, position);
        if (chunk == null) {
            return 0;
        }
        of.unpin(chunk, 0);
        return of.bytes(chunk, position, most).remaining();
    }

    /** Its bytes tell their position. */
    private static final class TestFile implements ColdFile.Source {
        static final ThreadLocal<List<String>> ORDER = ThreadLocal.withInitial(ArrayList::new);

        final List<Long> reads = new ArrayList<>();
        final int number;
        final long size;
        int version;
        boolean broken;
        long brokenFrom = Long.MAX_VALUE;
        Runnable duringRead = () -> {};

        TestFile(int number, long size) {
            this.number = number;
            this.size = size;
            ORDER.get().clear();
        }

        byte[] bytes(long position, int count) {
            byte[] bytes = new byte[count];
            for (int i = 0; i < count; i++) {
                bytes[i] = (byte) ((position + i) * 31 + number + version);
            }
            return bytes;
        }

        @Override
        public @Nullable FileChannel openDirect() {
            return null;
        }

        @Override
        public int readBuffered(ByteBuffer dst, long position) throws IOException {
            if (position % CHUNK == 0) {
                reads.add(position);
                ORDER.get().add(number + "@" + position / CHUNK);
            }
            duringRead.run();
            if (broken || position + dst.remaining() > brokenFrom) {
                throw new IOException("broken");
            }
            int count = (int) Math.min(dst.remaining(), size - position);
            if (count <= 0) {
                return -1;
            }
            dst.put(bytes(position, count));
            return count;
        }
    }
}

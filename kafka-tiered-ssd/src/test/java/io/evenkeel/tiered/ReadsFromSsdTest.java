/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.coldread.ColdReader;
import io.evenkeel.tiered.coldread.HeaderReads;
import io.evenkeel.tiered.coldread.HeldChunk;
import io.evenkeel.tiered.file.FileOps;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Sends of a segment that is on the SSD, when nothing of it is in the page cache. */
class ReadsFromSsdTest {
    private static final byte[] BYTES = new byte[100_000];

    @TempDir
    Path root;

    private FakeBroker broker;
    private Path segment;
    private TieredFileChannel channel;
    private final AtomicInteger woken = new AtomicInteger();

    /** Sealed, as there is a newer one. */
    @BeforeEach
    void open() throws IOException {
        broker = new FakeBroker(root, 1, 1, 4L << 20);
        broker.restart();
        Path partition = broker.partition("topic-0");
        segment = FakeBroker.segment(partition, 0);
        FileChannel opened = broker.open(segment);
        FakeBroker.append(opened, BYTES);
        broker.open(FakeBroker.segment(partition, 1));
        channel = (TieredFileChannel) opened;
    }

    @AfterEach
    void letGo() {
        HeldChunk.letGo();
    }

    private long sendable() {
        return channel.sendable(0, BYTES.length, woken::incrementAndGet);
    }

    @Test
    void aSendWaitsForItsChunkOnly() throws Exception {
        assertThat(channel.mayWait()).isTrue();
        assertThat(channel.isOnHddAlone())
                .as("no HDD has anything to do with it")
                .isFalse();
        assertThat(sendable()).isZero();
        assertThat(broker.tier().snapshot().coldReads().waitingSends()).isOne();
        broker.step();
        assertThat(woken).hasValue(1);
        assertThat(sendable()).isEqualTo(BYTES.length);
        assertThat(FakeBroker.read(channel)).isEqualTo(BYTES);
        assertThat(broker.tier().snapshot().ssdUse().readBytes()).isEqualTo(BYTES.length);
        assertThat(broker.tier().snapshot().coldReads().bytes())
                .as("read from HDDs")
                .isZero();
    }

    /** Else its space on the SSD would not be free. */
    @Test
    void noFileOfAnEvictedSegmentStaysOpen() throws Exception {
        sendable();
        broker.step();
        assertThat(openSsdFiles())
                .as("for Kafka, the reader, and perhaps the copier")
                .hasSizeGreaterThan(1);
        evict();
        broker.step();
        assertThat(openSsdFiles()).isEmpty();
    }

    @Test
    void aSendThatWaitsGoesOnWhenTheSegmentIsEvicted() throws Exception {
        assertThat(sendable()).isZero();
        evict();
        assertThat(woken).hasValue(1);
        assertThat(sendable()).as("now from the HDD").isZero();
        broker.step();
        assertThat(woken).hasValue(2);
        assertThat(sendable()).isEqualTo(BYTES.length);
        assertThat(FakeBroker.read(channel)).isEqualTo(BYTES);
    }

    /** Else a network thread would wait for the HDD. */
    @Test
    void whatASendIsToldToSendIsSentFromMemoryAlsoWhenTheSegmentIsEvictedMeanwhile() throws Exception {
        sendable();
        broker.step();
        assertThat(sendable()).isEqualTo(BYTES.length);
        evict();
        Files.write(segment, new byte[] {7});
        ByteArrayOutputStream target = new ByteArrayOutputStream();
        channel.transferTo(0, BYTES.length, Channels.newChannel(target));
        assertThat(target.toByteArray()).isEqualTo(BYTES);
        HeldChunk.letGo();
    }

    @Test
    void nothingOfATruncatedSegmentIsSentFromMemory() throws Exception {
        sendable();
        broker.step();
        channel.truncate(10);
        assertThat(channel.mayWait()).isFalse();
        assertThat(FakeBroker.read(channel)).hasSize(10);
        assertThat(sendable()).as("the file itself decides").isEqualTo(BYTES.length);
    }

    @Test
    void theKernelIsAskedOnceForManySends() throws IOException {
        AtomicInteger questions = new AtomicInteger();
        broker.restart(new FileOps() {
            @Override
            public boolean isResident(FileChannel file, long position, long most) {
                return questions.incrementAndGet() > 0;
            }
        });
        channel = (TieredFileChannel) broker.open(segment);
        broker.open(FakeBroker.segment(broker.partition("topic-0"), 1));
        assertThat(sendable()).isEqualTo(BYTES.length);
        assertThat(sendable()).isEqualTo(BYTES.length);
        assertThat(questions).hasValue(1);
        broker.pass(TimeUnit.SECONDS.toNanos(1));
        assertThat(sendable()).isEqualTo(BYTES.length);
        assertThat(questions).hasValue(2);
    }

    /** Laggards that read the same data may find a header in a chunk, and then all wait for the next at once. */
    @Test
    void aHeaderInAChunkCountsAsOneOnTheHdd() throws Exception {
        sendable();
        broker.step();
        assertThat(aHeaderNeedsTheHdd()).as("it is on the SSD").isFalse();
        evict();
        sendable();
        broker.step();
        assertThat(aHeaderNeedsTheHdd()).isTrue();
    }

    private boolean aHeaderNeedsTheHdd() throws IOException {
        HeaderReads.begin();
        try {
            assertThat(channel.read(ByteBuffer.allocate(10), 0)).isEqualTo(10);
        } finally {
            HeaderReads.end();
        }
        return HeaderReads.takeNeededHdd();
    }

    /** The holder of the lock may wait for an HDD, as it renames a file there. */
    @Test
    @Timeout(60)
    void theReaderWaitsForNoOtherDisk() throws Exception {
        Segment locked = (Segment) channel.owner();
        CountDownLatch isLocked = new CountDownLatch(1);
        CountDownLatch isOver = new CountDownLatch(1);
        Thread holder = new Thread(() -> {
            locked.lock().lock();
            try {
                isLocked.countDown();
                isOver.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            } finally {
                locked.lock().unlock();
            }
        });
        holder.start();
        isLocked.await();
        try {
            assertThat(sendable()).isZero();
            for (ColdReader reader : broker.tier().coldReaders().values()) {
                reader.step(broker.nowNanos());
            }
            assertThat(sendable()).isEqualTo(BYTES.length);
        } finally {
            isOver.countDown();
            holder.join();
        }
        assertThat(FakeBroker.read(channel)).isEqualTo(BYTES);
    }

    private void evict() throws Exception {
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        broker.run("drain");
        broker.copy();
        broker.evict();
        assertThat(broker.stateOf(segment)).isEqualTo(SegmentState.WITHOUT_CACHE);
    }

    private List<Path> openSsdFiles() throws IOException {
        Path ssd = broker.ssds.get(0).toRealPath();
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.filter(Files::isSymbolicLink)
                    .map(ReadsFromSsdTest::target)
                    .filter(file -> file.startsWith(ssd)
                            && file.toString().contains(segment.getFileName().toString()))
                    .toList();
        }
    }

    private static Path target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor);
        } catch (IOException e) {
            return descriptor; // it was the one of the list itself
        }
    }
}

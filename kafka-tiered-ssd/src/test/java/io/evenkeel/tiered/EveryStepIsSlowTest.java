/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.inspect.DiskSurvey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Segments are copied, evicted and drained, and one file operation after the other takes until Kafka has done something
 * else meanwhile, or waits for that operation. Afterwards every byte must be as Kafka left it, also after a new start.
 */
@Timeout(120)
@Tag("slow")
class EveryStepIsSlowTest {
    private static final int ENOUGH = 1_000;
    private static final Set<Thread.State> WAITING =
            EnumSet.of(Thread.State.WAITING, Thread.State.BLOCKED, Thread.State.TERMINATED);

    /** What Kafka does meanwhile; 0 is the base offset of a sealed segment, 100 of the active one. */
    private enum Meanwhile {
        READ,
        APPEND,
        TRUNCATE,
        DELETE,
        DELETE_TOPIC
    }

    @TempDir
    Path root = Path.of("target");

    private final Random random = new Random(5);
    /** What the segments hold, by base offset. */
    private final Map<Long, byte[]> expected = new TreeMap<>();

    private final Map<Long, FileChannel> channels = new TreeMap<>();

    /** Holds one thread up at its k-th operation. */
    private static final class SlowFiles extends FileOps {
        private final int slow;
        private final CountDownLatch reached = new CountDownLatch(1);
        private final CountDownLatch goOn = new CountDownLatch(1);
        private @Nullable Thread slowed;
        private int operations;

        SlowFiles(int slow) {
            this.slow = slow;
        }

        private void step() {
            if (Thread.currentThread() == slowed && ++operations == slow) {
                reached.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
        }

        @Override
        public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
            step();
            return new FaultyChannel(super.open(file, options), operation -> step());
        }

        @Override
        public void link(Path link, Path target) throws IOException {
            step();
            super.link(link, target);
        }

        @Override
        public void rename(Path from, Path to) throws IOException {
            step();
            super.rename(from, to);
        }

        @Override
        public boolean deleteIfExists(Path file) throws IOException {
            step();
            return super.deleteIfExists(file);
        }

        @Override
        public void lastModified(Path file, FileTime time) throws IOException {
            step();
            super.lastModified(file, time);
        }

        @Override
        public FileChannel openDirectory(Path dir) throws IOException {
            step();
            return super.openDirectory(dir);
        }

        @Override
        public void force(FileChannel channel) {
            step();
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingIsLostWhicheverStepIsSlow(Meanwhile meanwhile) throws Exception {
        for (int k = 1; k < ENOUGH; k++) {
            SlowFiles files = new SlowFiles(k);
            FakeBroker broker = new FakeBroker(Files.createDirectories(root.resolve("" + k)), 1, 1, 4 << 20);
            broker.restart(files);
            create(broker, 0, 300_000);
            create(broker, 100, 100_000);
            FutureTask<Void> drain = begin("worker", files, () -> drain(broker));
            if (!isReached(files, drain)) {
                assertThat(k).as("operations").isGreaterThan(30);
                return;
            }
            FutureTask<Void> kafka = begin("kafka", null, () -> run(meanwhile, broker));
            if (meanwhile == Meanwhile.READ) {
                kafka.get(); // reads wait for no device but their own
            }
            files.goOn.countDown();
            kafka.get();
            drain.get();
            check(broker, meanwhile + " during operation " + k);
        }
        throw new AssertionError("it never ended");
    }

    private interface Action {
        void run() throws Exception;
    }

    /** Answers when the action is done or waits for something; a slowed one goes its way. */
    private static FutureTask<Void> begin(String name, @Nullable SlowFiles slowed, Action action) {
        FutureTask<Void> task = new FutureTask<>(() -> {
            action.run();
            return null;
        });
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        if (slowed != null) {
            slowed.slowed = thread;
        }
        thread.start();
        while (slowed == null && !WAITING.contains(thread.getState())) {
            Thread.onSpinWait();
        }
        return task;
    }

    private static boolean isReached(SlowFiles files, FutureTask<Void> drain) throws Exception {
        while (!files.reached.await(1, TimeUnit.MILLISECONDS)) {
            if (drain.isDone()) {
                drain.get();
                return files.reached.getCount() == 0;
            }
        }
        return true;
    }

    private void create(FakeBroker broker, long base, int length) throws IOException {
        FileChannel channel = broker.open(FakeBroker.segment(broker.partition("topic-0"), base));
        channels.put(base, channel);
        expected.put(base, new byte[0]);
        append(base, length);
    }

    private void append(long base, int length) throws IOException {
        byte[] old = expected.getOrDefault(base, new byte[0]);
        byte[] grown = Arrays.copyOf(old, old.length + length);
        byte[] more = new byte[length];
        random.nextBytes(more);
        System.arraycopy(more, 0, grown, old.length, length);
        expected.put(base, grown);
        FakeBroker.append(channel(base), more);
    }

    private FileChannel channel(long base) {
        FileChannel channel = channels.get(base);
        if (channel == null) {
            throw new AssertionError("no segment " + base);
        }
        return channel;
    }

    /** Takes everything off the SSD, the active segment too. */
    private static void drain(FakeBroker broker) throws Exception {
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        for (int i = 0; i < 3; i++) {
            broker.run("drain");
            broker.copy();
            broker.evict();
        }
    }

    private void run(Meanwhile meanwhile, FakeBroker broker) throws Exception {
        Path partition = broker.hdds.get(0).resolve("topic-0");
        switch (meanwhile) {
            case READ -> assertContents("meanwhile");
            case APPEND -> append(100, 50_000);
            case TRUNCATE -> {
                delete(broker, partition, 100);
                byte[] left = Arrays.copyOf(expected.getOrDefault(0L, new byte[0]), 1000);
                expected.put(0L, left);
                channel(0).truncate(left.length);
                channel(0).position(left.length);
                append(0, 500);
            }
            case DELETE -> delete(broker, partition, 0);
            case DELETE_TOPIC -> deleteTopic(broker, partition);
        }
    }

    private void delete(FakeBroker broker, Path partition, long base) throws IOException {
        expected.remove(base);
        FileChannel channel = channel(base);
        channels.remove(base);
        Path path = FakeBroker.segment(partition, base);
        Path deleted = SegmentFileName.withSuffix(path, SegmentFileName.DELETED_SUFFIX);
        broker.rename(channel, path, deleted);
        broker.delete(channel, deleted);
    }

    private void deleteTopic(FakeBroker broker, Path partition) throws IOException {
        Path dying = partition.resolveSibling("topic-0.0123456789abcdef0123456789abcdef-delete");
        channels.values().forEach(broker.tier()::renaming);
        Files.move(partition, dying);
        channels.forEach((base, channel) -> broker.tier().renamed(channel, FakeBroker.segment(dying, base)));
        for (Map.Entry<Long, FileChannel> channel : channels.entrySet()) {
            broker.delete(channel.getValue(), FakeBroker.segment(dying, channel.getKey()));
        }
        for (Path leftover : FileReads.children(dying)) { // the copy under way was renamed with it
            Files.delete(leftover);
        }
        Files.delete(dying);
        channels.clear();
        expected.clear();
    }

    private void assertContents(String what) throws IOException {
        for (Map.Entry<Long, FileChannel> channel : channels.entrySet()) {
            assertThat(FakeBroker.read(channel.getValue()))
                    .as(what + ", segment " + channel.getKey())
                    .isEqualTo(expected.get(channel.getKey()));
        }
    }

    private void check(FakeBroker broker, String what) throws Exception {
        assertContents(what);
        drain(broker);
        assertContents(what + ", and the end of the drain");
        assertThat(broker.ssdFiles()).as(what).isEmpty();
        assertThat(DiskSurvey.take(broker.identities(), broker.ssds).problems())
                .as(what)
                .isEmpty();
        for (FileChannel channel : channels.values()) {
            channel.close();
        }
        broker.restart();
        for (long base : expected.keySet()) {
            channels.put(base, broker.open(FakeBroker.segment(broker.partition("topic-0"), base)));
        }
        assertContents(what + ", and a new start");
        for (FileChannel channel : channels.values()) {
            channel.close();
        }
        channels.clear();
        expected.clear();
    }
}

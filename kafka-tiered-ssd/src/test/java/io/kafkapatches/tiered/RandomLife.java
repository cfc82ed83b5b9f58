/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;

/**
 * What a broker does to one partition, at random: it appends, rolls, truncates and deletes, runs the tier's workers, fails
 * over, drains, is stopped and started, now and then as a stock broker. It knows what has been forced, which a power cut must
 * not take. Not thread safe.
 */
final class RandomLife {
    static final long CAPACITY_BYTES = FakeBroker.SEGMENT_BYTES + (100 << 10);
    private static final int LARGEST_APPEND_BYTES = 9_000;

    /** A segment as Kafka sees it. */
    private static final class Log {
        final FileChannel channel;
        byte[] bytes;

        Log(FileChannel channel, byte[] bytes) {
            this.channel = channel;
            this.bytes = bytes;
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private final VolatileDisks disks;
    private final FakeBroker broker;
    private final Path partition;
    private final Random random;
    private final NavigableMap<Long, Log> logs = new TreeMap<>();
    private final List<FileChannel> opened = new ArrayList<>();

    /** What Kafka has flushed, by base offset; never more than there is. */
    private final Map<Long, byte[]> forced = new TreeMap<>();

    private boolean hasNewFiles;

    /** The number of the start that both disks have been told of; 0 while a drain may remove it. */
    private long generation;

    private final List<Action> actions = List.of(
            this::appendAndFlush,
            this::appendAndFlush,
            this::append,
            this::roll,
            this::roll,
            () -> broker().sync(),
            () -> broker().sync(),
            () -> broker().evict(),
            this::truncate,
            this::deleteOldest,
            this::deleteTopic,
            this::appendToFullSsd,
            this::failRead,
            this::drainAndReturn,
            this::startAgain,
            this::runAsStock,
            this::drainWhileStopped);

    RandomLife(VolatileDisks disks, FakeBroker broker, Random random) {
        this.disks = disks;
        this.broker = broker;
        this.random = random;
        this.partition = broker.hdds.get(0).resolve("topic-0");
    }

    private FakeBroker broker() {
        return broker;
    }

    /** What must be there after a power cut now, by base offset. */
    Map<Long, byte[]> forced() {
        return forced;
    }

    long generation() {
        return generation;
    }

    /** What the older of both marks says; 0 when there is only one, or none. */
    static long generation(Path root) throws IOException {
        Mark ssd = Mark.read(root.resolve("ssd0"));
        Mark hdd = Mark.read(root.resolve("hdd0"));
        String key = "generation";
        return ssd == null || hdd == null ? 0 : Math.min(ssd.number(key, root), hdd.number(key, root));
    }

    void act() throws Exception {
        actions.get(random.nextInt(actions.size())).run();
    }

    /** The process begins anew on what the disks show. */
    void start() throws Exception {
        full(false);
        disks.failingReads(false);
        broker.restart(disks);
        generation = generation(broker.root);
        load();
    }

    private void full(boolean isFull) {
        disks.full(isFull);
    }

    /** As Kafka's loader does: what waits to be deleted goes, the rest is opened. */
    private void load() throws Exception {
        logs.clear();
        for (Path dir : Recovery.children(broker.hdds.get(0))) {
            if (LogFileName.isDying(dir)) {
                finishDeletion(dir);
            }
        }
        for (Path file : Recovery.children(partition).stream().sorted().toList()) {
            LogFileName name = LogFileName.parse(file);
            if (name != null && name.isLive()) {
                FileChannel channel = open(file);
                logs.put(name.baseOffset(), new Log(channel, FakeBroker.read(channel)));
            } else if (name != null) {
                disks.deleteIfExists(file);
            }
        }
    }

    private FileChannel open(Path file) throws IOException {
        FileChannel channel = broker.open(file);
        opened.add(channel);
        return channel;
    }

    private void finishDeletion(Path dying) throws IOException {
        for (Path file : Recovery.children(dying)) {
            if (LogFileName.parse(file) == null) {
                disks.deleteIfExists(file);
            } else {
                broker.delete(open(file), file);
            }
        }
        disks.deleteIfExists(dying);
    }

    private void append() throws IOException {
        if (logs.isEmpty()) {
            roll();
        }
        Log active = logs.lastEntry().getValue();
        byte[] more = new byte[1 + random.nextInt(LARGEST_APPEND_BYTES)];
        random.nextBytes(more);
        byte[] grown = Arrays.copyOf(active.bytes, active.bytes.length + more.length);
        System.arraycopy(more, 0, grown, active.bytes.length, more.length);
        FakeBroker.append(active.channel, more);
        active.bytes = grown;
    }

    private void appendAndFlush() throws IOException {
        append();
        flush();
    }

    /** The files, and then the directory, but only when there are new ones. */
    private void flush() throws IOException {
        for (Log log : logs.values()) {
            log.channel.force(true);
        }
        if (hasNewFiles) {
            disks.syncDirectory(partition);
            hasNewFiles = false;
        }
        logs.forEach((base, log) -> forced.put(base, log.bytes));
    }

    private void roll() throws IOException {
        if (Files.notExists(partition)) {
            disks.createDirectory(partition);
            disks.syncDirectory(broker.hdds.get(0));
        }
        hasNewFiles = true;
        long base = logs.isEmpty() ? random.nextInt(2) : logs.lastKey() + 1;
        logs.put(base, new Log(open(FakeBroker.segment(partition, base)), new byte[0]));
    }

    private void truncate() throws IOException {
        if (logs.isEmpty()) {
            return;
        }
        long base = randomBase();
        for (long newer : List.copyOf(logs.tailMap(base, false).descendingKeySet())) {
            delete(newer);
        }
        Log log = logs.lastEntry().getValue();
        byte[] left = Arrays.copyOf(log.bytes, random.nextInt(log.bytes.length + 1));
        if (forced.containsKey(base) && forced.get(base).length > left.length) {
            forced.put(base, left);
        }
        log.channel.truncate(left.length);
        log.channel.position(left.length);
        log.bytes = left;
    }

    private long randomBase() {
        return List.copyOf(logs.keySet()).get(random.nextInt(logs.size()));
    }

    private void deleteOldest() throws IOException {
        if (logs.size() > 1) {
            delete(logs.firstKey());
        }
    }

    private void delete(long base) throws IOException {
        Log log = logs.remove(base);
        if (log == null) {
            throw new AssertionError("no segment " + base);
        }
        FileChannel channel = log.channel;
        forced.remove(base);
        Path path = FakeBroker.segment(partition, base);
        Path deleted = LogFileName.withSuffix(path, LogFileName.DELETED_SUFFIX);
        broker.rename(channel, path, deleted);
        broker.delete(channel, deleted);
    }

    /** As Kafka does: the directory is renamed, durably, and its files go later. */
    private void deleteTopic() throws IOException {
        if (logs.isEmpty()) {
            return;
        }
        forced.clear();
        Path dying = partition.resolveSibling("topic-0.0123456789abcdef0123456789abcdef-delete");
        List<FileChannel> channels =
                logs.values().stream().map(log -> log.channel).toList();
        channels.forEach(broker.tier()::renaming);
        disks.rename(partition, dying);
        disks.syncDirectory(broker.hdds.get(0));
        for (Map.Entry<Long, Log> log : logs.entrySet()) {
            broker.tier().renamed(log.getValue().channel, FakeBroker.segment(dying, log.getKey()));
        }
        for (Map.Entry<Long, Log> log : logs.entrySet()) {
            broker.delete(log.getValue().channel, FakeBroker.segment(dying, log.getKey()));
        }
        logs.clear();
        disks.deleteIfExists(dying);
    }

    private void appendToFullSsd() throws IOException {
        full(true);
        append();
        full(false);
        if (random.nextBoolean()) {
            flush();
        }
    }

    /** Only where there is a copy, else Kafka would give up the log directory. */
    private void failRead() throws Exception {
        for (Map.Entry<Long, Log> log : logs.entrySet()) {
            Path path = FakeBroker.segment(partition, log.getKey());
            if (broker.stateOf(path) == SegmentState.CACHED && log.getValue().bytes.length > 0) {
                disks.failingReads(true);
                log.getValue().channel.read(ByteBuffer.allocate(1), 0);
                disks.failingReads(false);
                broker.evict();
                return;
            }
        }
    }

    private void drainAndReturn() throws Exception {
        generation = 0;
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        for (int i = 0; i < 3; i++) {
            broker.run("drain");
            broker.sync();
            broker.evict();
        }
        broker.tier().reconfigure(FakeBroker.dynamicSettings());
        generation = generation(broker.root);
    }

    private void startAgain() throws Exception {
        start();
    }

    /** A stock broker appends to what it finds, through links too. */
    private void runAsStock() throws Exception {
        if (!logs.isEmpty()) {
            Map.Entry<Long, Log> active = logs.lastEntry();
            byte[] more = new byte[1 + random.nextInt(LARGEST_APPEND_BYTES)];
            random.nextBytes(more);
            byte[] old = active.getValue().bytes;
            byte[] grown = Arrays.copyOf(old, old.length + more.length);
            System.arraycopy(more, 0, grown, old.length, more.length);
            Path path = FakeBroker.segment(partition, active.getKey());
            try (FileChannel channel = disks.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                FakeBroker.append(channel.position(channel.size()), more);
                channel.force(true);
            }
            // stock trusts that a file that has been forced has its name, too, as ext4, XFS and btrfs see to
            disks.syncDirectory(partition);
            if (forced.containsKey(active.getKey())) {
                forced.put(active.getKey(), grown);
            }
        }
        start();
    }

    private void drainWhileStopped() throws Exception {
        generation = 0;
        OfflineDrain drain = new OfflineDrain(disks, broker.identities(), broker.ssds);
        drain.copyLinks(broker.hdds.get(0), bytes -> {});
        if (random.nextBoolean()) {
            drain.emptySsds();
        }
        start();
    }

    /** Closes what a process that is gone would not hold any more. */
    void close() throws IOException {
        for (FileChannel channel : opened) {
            channel.close();
        }
        opened.clear();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
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
 * One partition's log as Kafka keeps it: it appends, flushes, rolls, truncates, deletes and loads in Kafka's order, and
 * knows what has been flushed, which a power cut must not take. Not thread safe.
 */
final class FakePartition {
    private static final int LARGEST_APPEND_BYTES = 9_000;
    private static final String SWAP_SUFFIX = ".swap";

    /** A segment as Kafka sees it. */
    static final class Log {
        final FileChannel channel;
        private byte[] bytes;

        private Log(FileChannel channel, byte[] bytes) {
            this.channel = channel;
            this.bytes = bytes;
        }

        int length() {
            return bytes.length;
        }
    }

    private final FileOps disks;
    private final FakeBroker broker;
    private final Path logDir;
    private final Path dir;
    private final Random random;
    private final NavigableMap<Long, Log> logs = new TreeMap<>();
    private final List<FileChannel> opened = new ArrayList<>();

    /** What Kafka has flushed, by base offset; never more than there is. */
    private final Map<Long, byte[]> flushed = new TreeMap<>();

    private boolean hasNewFiles;

    public FakePartition(FileOps disks, FakeBroker broker, String name, Random random) {
        this.disks = disks;
        this.broker = broker;
        this.logDir = broker.hdds.get(0);
        this.dir = logDir.resolve(name);
        this.random = random;
    }

    /** What must be there after a power cut now, by base offset. */
    public Map<Long, byte[]> flushed() {
        return flushed;
    }

    /** By base offset. */
    public Map<Long, Log> logs() {
        return logs;
    }

    public Path segment(long base) {
        return FakeBroker.segment(dir, base);
    }

    /** Swapped-in segments get their names, what waits to be deleted goes, the rest is opened. */
    public void load() throws Exception {
        logs.clear();
        for (Path other : FileReads.children(logDir)) {
            if (SegmentFileName.isDying(other)) {
                finishDeletion(other);
            }
        }
        completeSwap();
        for (Path file : FileReads.children(dir).stream().sorted().toList()) {
            SegmentFileName name = SegmentFileName.parse(file);
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
        for (Path file : FileReads.children(dying)) {
            if (SegmentFileName.parse(file) == null) {
                disks.deleteIfExists(file);
            } else {
                broker.delete(open(file), file);
            }
        }
        disks.deleteIfExists(dying);
    }

    /** As Kafka's loader does, past the tier. */
    private void completeSwap() throws IOException {
        for (Path swap : FileReads.children(dir)) {
            if (SegmentFileName.nameOf(swap).endsWith(SWAP_SUFFIX)) {
                long base = SegmentFileName.leadingOffset(swap);
                flushed.remove(base);
                disks.deleteIfExists(segment(base));
                disks.rename(swap, segment(base));
                hasNewFiles = true;
            }
        }
    }

    /** The cleaner has compacted an old segment, and a crash is to come before it is swapped in. */
    public void compact() throws IOException {
        if (logs.size() < 2 || Files.notExists(dir)) {
            return;
        }
        long base = logs.firstKey();
        Path swap = SegmentFileName.withSuffix(segment(base), SWAP_SUFFIX);
        try (FileChannel channel =
                disks.open(swap, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FakeBroker.append(channel, more());
            channel.force(true);
        }
    }

    public void append() throws IOException {
        if (logs.isEmpty()) {
            roll();
        }
        Log active = logs.lastEntry().getValue();
        byte[] more = more();
        byte[] grown = joined(active.bytes, more);
        FakeBroker.append(active.channel, more);
        active.bytes = grown;
    }

    private byte[] more() {
        byte[] more = new byte[1 + random.nextInt(LARGEST_APPEND_BYTES)];
        random.nextBytes(more);
        return more;
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] joined = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, joined, first.length, second.length);
        return joined;
    }

    /** The files, and then the directory, but only when there are new ones. */
    public void flush() throws IOException {
        for (Log log : logs.values()) {
            log.channel.force(true);
        }
        if (hasNewFiles) {
            disks.fsyncDirectory(dir);
            hasNewFiles = false;
        }
        logs.forEach((base, log) -> flushed.put(base, log.bytes));
    }

    public void roll() throws IOException {
        if (Files.notExists(dir)) {
            disks.createDirectory(dir);
            disks.fsyncDirectory(logDir);
        }
        hasNewFiles = true;
        long base = logs.isEmpty() ? random.nextInt(2) : logs.lastKey() + 1;
        logs.put(base, new Log(open(segment(base)), new byte[0]));
    }

    public void truncate() throws IOException {
        if (logs.isEmpty()) {
            return;
        }
        long base = List.copyOf(logs.keySet()).get(random.nextInt(logs.size()));
        for (long newer : List.copyOf(logs.tailMap(base, false).descendingKeySet())) {
            delete(newer);
        }
        Log log = logs.lastEntry().getValue();
        byte[] left = Arrays.copyOf(log.bytes, random.nextInt(log.bytes.length + 1));
        if (flushed.containsKey(base) && flushed.get(base).length > left.length) {
            flushed.put(base, left);
        }
        log.channel.truncate(left.length);
        log.channel.position(left.length);
        log.bytes = left;
    }

    public void deleteOldest() throws IOException {
        if (logs.size() > 1) {
            delete(logs.firstKey());
        }
    }

    private void delete(long base) throws IOException {
        Log log = logs.remove(base);
        if (log == null) {
            throw new AssertionError("no segment " + base);
        }
        flushed.remove(base);
        Path deleted = SegmentFileName.withSuffix(segment(base), SegmentFileName.DELETED_SUFFIX);
        broker.rename(log.channel, segment(base), deleted);
        broker.delete(log.channel, deleted);
    }

    /** The directory is renamed, durably, and its files go later. */
    public void deleteAll() throws IOException {
        if (logs.isEmpty()) {
            return;
        }
        flushed.clear();
        Path dying = dir.resolveSibling(SegmentFileName.nameOf(dir) + ".0123456789abcdef0123456789abcdef-delete");
        logs.values().forEach(log -> broker.tier().renaming(log.channel));
        disks.rename(dir, dying);
        disks.fsyncDirectory(logDir);
        for (Map.Entry<Long, Log> log : logs.entrySet()) {
            broker.tier().renamed(log.getValue().channel, FakeBroker.segment(dying, log.getKey()));
        }
        for (Map.Entry<Long, Log> log : logs.entrySet()) {
            broker.delete(log.getValue().channel, FakeBroker.segment(dying, log.getKey()));
        }
        logs.clear();
        disks.deleteIfExists(dying);
    }

    /** A stock broker deletes what waits for that. */
    public void deleteAsStock() throws IOException {
        for (Path other : FileReads.children(logDir)) {
            if (SegmentFileName.isDying(other)) {
                for (Path file : FileReads.children(other)) {
                    disks.deleteIfExists(file);
                }
                disks.deleteIfExists(other);
            }
        }
    }

    /** A stock broker appends to what it finds, through links too. */
    public void appendAsStock() throws IOException {
        if (logs.isEmpty()) {
            return;
        }
        long base = logs.lastKey();
        byte[] more = more();
        byte[] grown = joined(logs.lastEntry().getValue().bytes, more);
        try (FileChannel channel = disks.open(segment(base), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            FakeBroker.append(channel.position(channel.size()), more);
            channel.force(true);
        }
        // stock trusts that a file that has been flushed has its name, too, as ext4, XFS and btrfs see to
        disks.fsyncDirectory(dir);
        if (flushed.containsKey(base)) {
            flushed.put(base, grown);
        }
    }

    /** Closes what a process that is gone would not hold any more. */
    public void close() throws IOException {
        for (FileChannel channel : opened) {
            channel.close();
        }
        opened.clear();
    }
}

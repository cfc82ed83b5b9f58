/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * A {@link FakeBroker} with the files that tell whose its directories are, for tests that come from outside. Each
 * segment that it rolls is a minute younger than the one before.
 */
public final class BrokerOnDisks {
    private static final long FIRST_WRITE_MS = 1_700_000_000_000L;

    private final Path root;
    private final FakeBroker broker;
    private final Random random = new Random(42);
    private final Map<Path, FileChannel> channels = new HashMap<>();
    private long writeMs = FIRST_WRITE_MS;

    /** Below {@code root}: hdd0, hdd1, … and ssd0, ssd1, … and server.properties. */
    public BrokerOnDisks(Path root, int hddCount, int ssdCount, long capacityBytes) throws IOException {
        this.root = root;
        broker = new FakeBroker(root, hddCount, ssdCount, capacityBytes);
        for (LogDirMeta logDir : logDirs()) {
            Files.writeString(
                    logDir.path().resolve("meta.properties"),
                    "version=1\ncluster.id=%s\nnode.id=%s\ndirectory.id=%s\n"
                            .formatted(logDir.clusterId(), logDir.nodeId(), logDir.directoryId()));
        }
        Files.writeString(serverProperties(), """
                node.id=1
                log.dirs=%s
                log.segment.bytes=%d
                tiered.ssd.dirs=%s
                tiered.ssd.capacity.bytes=%d
                tiered.ssd.low.watermark.ratio=0.5
                """.formatted(
                        commaList(broker.hdds), FakeBroker.SEGMENT_BYTES, commaList(broker.ssds), capacityBytes));
    }

    private static String commaList(List<Path> paths) {
        return paths.stream().map(Path::toString).collect(Collectors.joining(","));
    }

    public Path serverProperties() {
        return root.resolve("server.properties");
    }

    public List<Path> ssds() {
        return List.copyOf(broker.ssds);
    }

    public List<Path> hdds() {
        return List.copyOf(broker.hdds);
    }

    public List<LogDirMeta> logDirs() {
        return broker.hdds.stream()
                .map(hdd -> new LogDirMeta(hdd, "id-" + broker.hdds.indexOf(hdd), "cluster", "1"))
                .toList();
    }

    /** Appends a new segment of random bytes to a partition of the first log directory, and seals the one before. */
    public Path roll(String partition, long baseOffset, int bytes) throws IOException {
        return roll(0, partition, baseOffset, bytes);
    }

    /** The same for any log directory. */
    public Path roll(int logDir, String partition, long baseOffset, int bytes) throws IOException {
        Path dir = Files.createDirectories(broker.hdds.get(logDir).resolve(partition));
        Path segment = FakeBroker.segment(dir, baseOffset);
        FileChannel channel = broker.open(segment);
        channels.put(segment, channel);
        byte[] content = new byte[bytes];
        random.nextBytes(content);
        FakeBroker.append(channel, content);
        writeMs += 60_000;
        Files.setLastModifiedTime(segment, FileTime.fromMillis(writeMs));
        return segment;
    }

    /** Copies all sealed segments to the HDDs. */
    public void copy() throws Exception {
        broker.copy();
    }

    /** Keeps the SSDs between the watermarks. */
    public void evict() throws Exception {
        broker.evict();
    }

    /** Renames a segment as Kafka does before it deletes it. */
    public Path markDeleted(Path segment) throws IOException {
        Path deleted = SegmentFileName.withSuffix(segment, SegmentFileName.DELETED_SUFFIX);
        broker.rename(channel(segment), segment, deleted);
        return deleted;
    }

    /** Kafka truncates a segment, and the newer ones are gone. */
    public void truncate(Path segment, long bytes) throws IOException {
        channel(segment).truncate(bytes);
    }

    private FileChannel channel(Path segment) {
        FileChannel channel = channels.get(segment);
        if (channel == null) {
            throw new AssertionError("not rolled here: " + segment);
        }
        return channel;
    }

    /** Starts anew on what the disks hold. */
    public void restart() throws IOException {
        broker.restart();
    }

    /** Every file below the SSDs except the identity files. */
    public List<Path> ssdFiles() throws IOException {
        return broker.ssdFiles();
    }
}

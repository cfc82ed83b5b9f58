/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import io.kafkapatches.core.DeviceCeilings;
import io.kafkapatches.core.Worker;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Does to the tier what a broker does: opens, appends, rolls, renames and deletes, in Kafka's order. The workers run when
 * the test says so, in the test's thread, and time is a number.
 */
final class FakeBroker {
    static final long SEGMENT_BYTES = 1 << 20;
    /** How long a worker waits that has nothing to do. */
    static final long IDLE_NANOS = 10_000_000;

    final Path root;
    final List<Path> hdds = new ArrayList<>();
    final List<Path> ssds = new ArrayList<>();
    private final FileLayer disks;
    final RecordingListener listener = new RecordingListener();
    private TieredSettings settings;
    private TieredSsd tier;
    /** Made when they are first to do something: they have large buffers. */
    private @Nullable Map<String, Worker.Step> workers;

    private long nowNanos;

    /** What is written to each HDD, by whomever. */
    final DeviceCeilings ceilings = new DeviceCeilings();

    /** Formats the disks and starts. */
    FakeBroker(Path root, int hddCount, int ssdCount, long capacityBytes) throws IOException {
        this(root, hddCount, ssdCount, capacityBytes, new FileLayer());
    }

    /** The same on disks that see Kafka's own operations, too. */
    FakeBroker(Path root, int hddCount, int ssdCount, long capacityBytes, FileLayer disks) throws IOException {
        this.root = root;
        this.disks = disks;
        for (int i = 0; i < hddCount; i++) {
            hdds.add(Files.createDirectories(root.resolve("hdd" + i)));
        }
        for (int i = 0; i < ssdCount; i++) {
            ssds.add(Files.createDirectories(root.resolve("ssd" + i)));
        }
        settings = new TieredSettings(ssds, capacityBytes, OnMissing.FAIL, dynamicSettings());
        tier = start(disks);
        listener.events.clear();
    }

    /** Eager, and with a rate that nobody feels. */
    static DynamicSettings dynamicSettings() {
        return dynamicSettings(TierMode.ON);
    }

    static DynamicSettings dynamicSettings(TierMode mode) {
        return dynamicSettings(mode, 1L << 40, 1L << 40);
    }

    static DynamicSettings dynamicSettings(TierMode mode, long syncBytesPerSecond, long syncMinBytesPerSecond) {
        return new DynamicSettings(
                mode,
                0.9,
                0.5,
                syncBytesPerSecond,
                syncMinBytesPerSecond,
                TimeUnit.NANOSECONDS.toMillis(IDLE_NANOS),
                Device.SSD,
                new TopicFilter(List.of()));
    }

    private TieredSsd start(FileLayer files) throws IOException {
        return new TieredSsd(settings, identities(), files, listener, () -> nowNanos, new Random(42));
    }

    List<LogDirIdentity> identities() {
        List<LogDirIdentity> identities = new ArrayList<>();
        for (int i = 0; i < hdds.size(); i++) {
            identities.add(new LogDirIdentity(hdds.get(i), "id-" + i, "cluster", "1"));
        }
        return identities;
    }

    /** What was open is forgotten, as by a kill. */
    void restart(FileLayer files) throws IOException {
        tier = start(files);
        workers = null;
    }

    void restart() throws IOException {
        restart(new FileLayer());
    }

    /** What the next starts do when an SSD is lost, and where they look for SSDs. */
    void configure(OnMissing onMissing, List<Path> ssdDirs) {
        settings = new TieredSettings(ssdDirs, settings.capacityBytes(), onMissing, settings.dynamic());
    }

    void configure(OnMissing onMissing) {
        configure(onMissing, settings.ssdDirs());
    }

    TieredSsd tier() {
        return tier;
    }

    Path partition(String name) throws IOException {
        return partition(0, name);
    }

    Path partition(int hdd, String name) throws IOException {
        return Files.createDirectories(hdds.get(hdd).resolve(name));
    }

    static Path segment(Path partition, long baseOffset) {
        return partition.resolve(String.format("%020d.log", baseOffset));
    }

    static SegmentRequest request(long segmentBytes, long preallocateBytes) {
        return new SegmentRequest(segmentBytes, preallocateBytes, null, SegmentRequest.UNKNOWN_TIME);
    }

    FileChannel open(Path segment) throws IOException {
        FileChannel channel = tier.open(segment, request(SEGMENT_BYTES, 0));
        if (channel == null) {
            throw new AssertionError("not tiered: " + segment);
        }
        channel.position(channel.size());
        return channel;
    }

    /** A sealed segment of so many bytes is one that has a newer one. */
    static void append(FileChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    static byte[] read(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) channel.size());
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, buffer.position()) < 0) {
                break;
            }
        }
        return buffer.array();
    }

    void rename(FileChannel channel, Path from, Path to) throws IOException {
        tier.renaming(channel);
        try {
            disks.rename(from, to);
        } finally {
            tier.renamed(channel, to);
        }
    }

    void delete(FileChannel channel, Path path) throws IOException {
        channel.close();
        disks.deleteIfExists(path);
        tier.deleted(channel);
    }

    private Map<String, Worker.Step> workers() {
        Map<String, Worker.Step> known = workers;
        if (known == null) {
            known = tier.workers(ceilings);
            workers = known;
        }
        return known;
    }

    /** Runs the workers of one kind until they have nothing to do. */
    void run(String kind) throws Exception {
        for (Map.Entry<String, Worker.Step> worker : workers().entrySet()) {
            if (!worker.getKey().startsWith(kind)) {
                continue;
            }
            for (int i = 0; i < 10_000; i++) {
                long waitNanos = worker.getValue().run(nowNanos);
                nowNanos += Math.max(1, waitNanos);
                if (waitNanos == IDLE_NANOS) {
                    break; // idle
                }
            }
        }
    }

    void sync() throws Exception {
        run("syncer");
    }

    void evict() throws Exception {
        run("evictor");
    }

    /** One step of every worker. */
    void step() throws Exception {
        for (Worker.Step step : workers().values()) {
            nowNanos += 1 + Math.max(0, step.run(nowNanos));
        }
    }

    long nowNanos() {
        return nowNanos;
    }

    void pass(long nanos) {
        nowNanos += nanos;
    }

    /** What the workers of one kind repeat. */
    List<Worker.Step> workers(String kind) {
        return workers().entrySet().stream()
                .filter(worker -> worker.getKey().startsWith(kind))
                .map(Map.Entry::getValue)
                .toList();
    }

    SegmentState stateOf(Path segment) {
        SegmentState state = tier.states().get(segment);
        if (state == null) {
            throw new AssertionError("unknown: " + segment);
        }
        return state;
    }

    /** Every file below the SSDs but the marks. */
    List<Path> ssdFiles() throws IOException {
        List<Path> files = new ArrayList<>();
        for (Path ssd : ssds.stream().filter(Files::exists).toList()) {
            try (Stream<Path> walk = Files.walk(ssd)) {
                walk.filter(Files::isRegularFile)
                        .filter(file -> !file.endsWith(SsdIdentity.FILE_NAME))
                        .sorted()
                        .forEach(files::add);
            }
        }
        return files;
    }
}

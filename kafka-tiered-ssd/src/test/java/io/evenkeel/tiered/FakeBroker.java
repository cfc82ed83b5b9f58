/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.core.Worker;
import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.api.TopicFilter;
import io.evenkeel.tiered.coldread.ColdReader;
import io.evenkeel.tiered.coldread.HeldChunk;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.identity.SsdIdentity;
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
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Does to the tier what a broker does: opens, appends, rolls, renames and deletes, in Kafka's order. The workers run
 * when the test says so, in the test's thread, and time is a number.
 */
public final class FakeBroker {
    private static final long COLD_READ_BUFFER_BYTES = 4 << 20;
    public static final long SEGMENT_BYTES = 1 << 20;
    /** How long a worker waits that has nothing to do. */
    static final long IDLE_NANOS = 10_000_000;

    final Path root;
    public final List<Path> hdds = new ArrayList<>();
    public final List<Path> ssds = new ArrayList<>();
    private final FileOps disks;
    public final RecordingListener listener = new RecordingListener();
    private TierSettings settings;
    private TieredSsd tier;
    /** Made when they are first to do something: they have large buffers. */
    private @Nullable Map<String, Worker.Step> workers;

    private long nowNanos;
    private LongSupplier wallClockMs = System::currentTimeMillis;

    /** What is written to each HDD, by whomever. */
    final DeviceCeilings ceilings = new DeviceCeilings();

    /** Formats the disks and starts. */
    public FakeBroker(Path root, int hddCount, int ssdCount, long capacityBytes) throws IOException {
        this(root, hddCount, ssdCount, capacityBytes, new ColdFiles());
    }

    /** The same, on disks that see Kafka's own operations as well. */
    public FakeBroker(Path root, int hddCount, int ssdCount, long capacityBytes, FileOps disks) throws IOException {
        this.root = root;
        this.disks = disks;
        for (int i = 0; i < hddCount; i++) {
            hdds.add(Files.createDirectories(root.resolve("hdd" + i)));
        }
        for (int i = 0; i < ssdCount; i++) {
            ssds.add(Files.createDirectories(root.resolve("ssd" + i)));
        }
        settings = new TierSettings(ssds, 0, capacityBytes, OnMissing.FAIL, COLD_READ_BUFFER_BYTES, dynamicSettings());
        tier = start(disks);
        listener.events.clear();
    }

    /** Eager, and with a rate that no test notices. */
    public static DynamicTierSettings dynamicSettings() {
        return dynamicSettings(TierMode.ON);
    }

    public static DynamicTierSettings dynamicSettings(TierMode mode) {
        return dynamicSettings(mode, 1L << 40, 1L << 40);
    }

    public static DynamicTierSettings dynamicSettings(
            TierMode mode, long copyBytesPerSecond, long copyMinBytesPerSecond) {
        return new DynamicTierSettings(
                mode,
                0.9,
                0.5,
                copyBytesPerSecond,
                copyMinBytesPerSecond,
                TimeUnit.NANOSECONDS.toMillis(IDLE_NANOS),
                DynamicTierSettings.UNLIMITED,
                DynamicTierSettings.UNLIMITED,
                Device.SSD,
                new TopicFilter(List.of()));
    }

    private TieredSsd start(FileOps files) throws IOException {
        TieredSsd started = new TieredSsd(settings, identities(), files, listener, () -> nowNanos, new Random(42));
        started.coldReaders().values().forEach(reader -> reader.start(() -> {}));
        return started;
    }

    public List<LogDirMeta> identities() {
        List<LogDirMeta> identities = new ArrayList<>();
        for (int i = 0; i < hdds.size(); i++) {
            identities.add(new LogDirMeta(hdds.get(i), "id-" + i, "cluster", "1"));
        }
        return identities;
    }

    /** What was open is forgotten, as by a kill. */
    public void restart(FileOps files) throws IOException {
        tier = start(files);
        workers = null;
    }

    public void restart() throws IOException {
        restart(new ColdFiles());
    }

    /** The tier computes what it would do with that many SSDs, and moves nothing. */
    public void restartInShadow(int shadowSsds) throws IOException {
        settings = new TierSettings(
                List.of(), shadowSsds, settings.capacityBytes(), OnMissing.FAIL, 0, dynamicSettings(TierMode.SHADOW));
        restart();
    }

    /** What the next starts do when an SSD is lost, and where they look for SSDs. */
    public void configure(OnMissing onMissing, List<Path> ssdDirs) {
        settings = new TierSettings(
                ssdDirs, 0, settings.capacityBytes(), onMissing, COLD_READ_BUFFER_BYTES, settings.dynamic());
    }

    public void configure(OnMissing onMissing) {
        configure(onMissing, settings.ssdDirs());
    }

    public TieredSsd tier() {
        return tier;
    }

    public Path partition(String name) throws IOException {
        return partition(0, name);
    }

    public Path partition(int hdd, String name) throws IOException {
        return Files.createDirectories(hdds.get(hdd).resolve(name));
    }

    public static Path segment(Path partition, long baseOffset) {
        return partition.resolve(String.format("%020d.log", baseOffset));
    }

    public static OpenRequest request(long segmentBytes, long preallocateBytes) {
        return new OpenRequest(segmentBytes, preallocateBytes, null);
    }

    public FileChannel open(Path segment) throws IOException {
        FileChannel channel = tier.open(segment, request(SEGMENT_BYTES, 0));
        if (channel == null) {
            throw new AssertionError("not tiered: " + segment);
        }
        channel.position(channel.size());
        return channel;
    }

    /** A sealed segment of so many bytes is one that has a newer one. */
    public static void append(FileChannel channel, byte[] bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** As a network thread: what it is told to send from memory stays there until it has read it. */
    public static byte[] read(FileChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate((int) channel.size());
        try {
            while (buffer.hasRemaining()) {
                if (channel instanceof TieredFileChannel tiered) {
                    tiered.sendable(buffer.position(), buffer.remaining(), () -> {});
                }
                if (channel.read(buffer, buffer.position()) < 0) {
                    break;
                }
            }
        } finally {
            HeldChunk.letGo();
        }
        return buffer.array();
    }

    public void rename(FileChannel channel, Path from, Path to) throws IOException {
        tier.renaming(channel);
        try {
            disks.rename(from, to);
        } finally {
            tier.renamed(channel, to);
        }
    }

    public void delete(FileChannel channel, Path path) throws IOException {
        channel.close();
        disks.deleteIfExists(path);
        tier.deleted(channel);
    }

    private Map<String, Worker.Step> workers() {
        Map<String, Worker.Step> known = workers;
        if (known == null) {
            known = tier.workers(ceilings, wallClockMs);
            workers = known;
        }
        return known;
    }

    /** Runs the workers of one kind until they have nothing to do. */
    public void run(String kind) throws Exception {
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

    public void copy() throws Exception {
        run("copier");
    }

    public void evict() throws Exception {
        run("evictor");
    }

    /** One step of every worker. */
    public void step() throws Exception {
        for (Worker.Step step : workers().values()) {
            nowNanos += 1 + Math.max(0, step.run(nowNanos));
        }
        for (ColdReader reader : tier.coldReaders().values()) {
            reader.step(nowNanos);
        }
    }

    public long nowNanos() {
        return nowNanos;
    }

    /** The file systems have this broker's clock, as far as the test sets the times of files. */
    void wallClockIsOurs() {
        wallClockMs = () -> TimeUnit.NANOSECONDS.toMillis(nowNanos);
    }

    public void pass(long nanos) {
        nowNanos += nanos;
    }

    /** What the workers of one kind repeat. */
    public List<Worker.Step> workers(String kind) {
        return workers().entrySet().stream()
                .filter(worker -> worker.getKey().startsWith(kind))
                .map(Map.Entry::getValue)
                .toList();
    }

    public SegmentState stateOf(Path segment) {
        SegmentState state = tier.states().get(segment);
        if (state == null) {
            throw new AssertionError("unknown: " + segment);
        }
        return state;
    }

    /** Every file below the SSDs except the identity files. */
    public List<Path> ssdFiles() throws IOException {
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

    /** Nothing is in the page cache. */
    private static final class ColdFiles extends FileOps {
        @Override
        public boolean isResident(FileChannel channel, long position, long most) {
            return false; // so that the cold reader reads
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import javax.management.JMException;
import kafka.log.LogManager;
import kafka.server.KafkaConfig;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The main class of the process that is tried: one run on a directory, which may be followed by others.
 *
 * <p>Arguments: the directory, the seed, the number of the run, how many operations, {@code stop} or {@code kill}, and
 * the {@link Rolls} to repeat or {@code -} to record them. Each line of the transcript is an operation with all that it
 * answered; they depend on nothing but the seed and the rolls.
 */
public final class ModelDriver {
    /** The settings that an operation may change with their values, and the size of segments. */
    private static final Map<String, List<Object>> CONFIGURABLE = new TreeMap<>(Map.of(
            "segment.ms", List.of(3_600_000L, 36_000_000L, 604_800_000L),
            "retention.ms", List.of(-1L, 18_000_000L, 90_000_000L),
            "retention.bytes", List.of(-1L, 150_000L, 400_000L, 6_000_000L),
            "max.message.bytes", List.of(10_000, 1_048_588),
            "message.timestamp.type", List.of("CreateTime", "LogAppendTime"),
            "compression.type", List.of("producer", "zstd", "uncompressed"),
            "cleanup.policy", List.of("delete", "compact", "compact,delete"),
            "preallocate", List.of(false, true),
            "index.interval.bytes", List.of(0, 512, 4096)));

    private static final String SEGMENT_BYTES = "internal.segment.bytes";

    /** Kafka's messages name the channel's object. */
    private static final Pattern CHANNEL = Pattern.compile("file channel `[^`]*`");

    private static final int DIRECTORY_EVERY = 20;

    private final Path dir;
    private final long seed;
    private final Path stateFile;
    private final Properties state = new Properties();
    private final SteppedTime time;
    private final LogUnderTest partition;
    private final TierWatch watch = new TierWatch();

    private ModelDriver(Path dir, long seed) throws IOException {
        this.dir = dir;
        this.seed = seed;
        this.stateFile = dir.resolve("state.properties");
        if (Files.exists(stateFile)) {
            try (Reader reader = Files.newBufferedReader(stateFile)) {
                state.load(reader);
            }
        }
        this.time = new SteppedTime(number("timeMs", SteppedTime.EPOCH_MS));
        SteppedScheduler scheduler = new SteppedScheduler(time);
        List<Path> logDirs = List.of(dir.resolve("hdd1"), dir.resolve("hdd2"));
        startLogManager(scheduler);
        this.partition = new LogUnderTest(
                logDirs,
                time,
                scheduler,
                configs(),
                Boolean.parseBoolean(state.getProperty("clean", "true")),
                number("startOffset", 0),
                number("recoveryPoint", 0));
        partition.firstDirtyOffset = number("firstDirtyOffset", 0);
    }

    public static void main(String[] arguments) throws Exception {
        Path dir = Path.of(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        int run = Integer.parseInt(arguments[2]);
        ModelDriver driver = new ModelDriver(dir, seed);
        driver.operate(new Random(seed * 1_000 + run), Integer.parseInt(arguments[3]), run, arguments[5]);
        driver.watch.write(dir.resolve("tier-" + run + ".properties"));
        driver.end(arguments[4].equals("stop"));
    }

    /** Every fourth seed has segments as large as brokers want them at least; with small ones more happens. */
    private boolean isLarge() {
        return seed % 4 == 0;
    }

    private Map<String, List<Object>> configurable() {
        Map<String, List<Object>> all = new TreeMap<>(CONFIGURABLE);
        all.put(SEGMENT_BYTES, isLarge() ? List.of(1 << 20, 1_500_000) : List.of(6_000, 15_000, 30_000));
        return all;
    }

    private Map<String, Object> configs() {
        Map<String, Object> configs = new HashMap<>();
        configs.put("segment.bytes", 1 << 20);
        configs.put(SEGMENT_BYTES, isLarge() ? 1 << 20 : 15_000);
        configs.put("segment.index.bytes", 1 << 14);
        configs.put("retention.ms", 90_000_000L);
        configs.put("delete.retention.ms", 3_600_000L);
        configs.put("file.delete.delay.ms", 60_000L);
        return configs;
    }

    /** Creates a broker's log manager, because the tier, if it is woven in, starts there. */
    private void startLogManager(SteppedScheduler scheduler) throws IOException {
        Properties broker = new Properties();
        try (Reader reader = Files.newBufferedReader(dir.resolve("server.properties"))) {
            broker.load(reader);
        }
        LogManager.apply(
                new KafkaConfig(broker, false),
                CollectionConverters.asScala(List.<String>of()).toSeq(),
                resource -> new Properties(),
                scheduler,
                time,
                new BrokerTopicStats(),
                new LogDirFailureChannel(10));
        publishMetadata();
    }

    /** A broker learns the cluster's metadata before it loads a log; only then the tier's workers start. */
    private static void publishMetadata() {
        try {
            Class.forName("io.evenkeel.core.kafka.ConfigHooks")
                    .getMethod("metadata", MetadataImage.class)
                    .invoke(null, MetadataImage.EMPTY);
        } catch (ClassNotFoundException stock) {
            // then no thread waits for it
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the tier was not told the metadata", e);
        }
    }

    private void operate(Random random, int operations, int run, String rollsToRepeat) throws IOException, JMException {
        RandomBatches batches = new RandomBatches(random, time, isLarge() ? 60_000 : 2_500);
        RandomOperations next = new RandomOperations(partition, random, batches, configurable());
        Rolls rolls = rollsToRepeat.equals("-")
                ? Rolls.recording(dir.resolve("rolls-" + run))
                : Rolls.repeating(Path.of(rollsToRepeat));
        try (BufferedWriter transcript = Files.newBufferedWriter(dir.resolve("transcript-" + run))) {
            write(transcript, "found" + partition.segments() + directories());
            for (int i = 0; i < operations; i++) {
                if (rolls.isDue(i, partition.log())) {
                    write(transcript, "rolls at " + partition.log().roll().baseOffset());
                }
                String answer = next.next();
                partition.scheduler.runDue();
                partition.dateActiveSegment();
                watch.look(partition.log());
                write(transcript, i + " " + answer + " | " + offsets() + partition.scheduler.thrown());
                if (i % DIRECTORY_EVERY == 0) {
                    write(transcript, "segments" + partition.segments());
                    write(transcript, "files" + directories());
                }
            }
        }
    }

    private void write(BufferedWriter transcript, String line) throws IOException {
        String general = line.replace(dir.toString(), "<dir>").replace("\n", "\\n");
        transcript.write(CHANNEL.matcher(general).replaceAll("file channel"));
        transcript.newLine();
        transcript.flush();
    }

    private String offsets() {
        UnifiedLog log = partition.log();
        return "start %d stable %d high %d end %d flushed %d, %d segments, %d bytes"
                .formatted(
                        log.logStartOffset(),
                        log.lastStableOffset(),
                        log.highWatermark(),
                        log.logEndOffset(),
                        log.recoveryPoint(),
                        log.numberOfSegments(),
                        log.size());
    }

    private String directories() throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path partitionDir : partition.partitionDirs()) {
            all.append(' ').append(dir.relativize(partitionDir)).append(ReadDigest.of(partitionDir));
        }
        return all.toString();
    }

    /** As a broker ends, or as a broker's process does. */
    private void end(boolean clean) throws IOException {
        UnifiedLog log = partition.log();
        long recoveryPoint = clean ? partition.close() : log.recoveryPoint();
        state.setProperty("timeMs", String.valueOf(time.milliseconds()));
        state.setProperty("clean", String.valueOf(clean));
        state.setProperty("startOffset", String.valueOf(log.logStartOffset()));
        state.setProperty("recoveryPoint", String.valueOf(recoveryPoint));
        state.setProperty("firstDirtyOffset", String.valueOf(partition.firstDirtyOffset));
        try (Writer writer = Files.newBufferedWriter(stateFile)) {
            state.store(writer, null);
        }
        Runtime.getRuntime().halt(0);
    }

    private long number(String key, long otherwise) {
        return Long.parseLong(state.getProperty(key, String.valueOf(otherwise)));
    }
}

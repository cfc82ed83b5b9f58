/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it.model;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.apache.kafka.storage.internals.log.UnifiedLog;
import org.apache.kafka.storage.log.metrics.BrokerTopicStats;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The main class of the process that is tried: one run on a directory, which may be followed by others.
 *
 * <p>Arguments: the directory, the seed, the number of the run, how many operations, and {@code stop} or {@code kill}. Each
 * line of {@code transcript.txt} is an operation with all that it answered; they depend on nothing but the seed.
 */
public final class ModelDriver {
    /** What an operation may set, and to what. */
    static final Map<String, List<Object>> CONFIGURABLE = new TreeMap<>(Map.of(
            "segment.ms", List.of(3_600_000L, 36_000_000L, 604_800_000L),
            "retention.ms", List.of(-1L, 18_000_000L, 90_000_000L),
            "retention.bytes", List.of(-1L, 150_000L, 400_000L, 6_000_000L),
            "max.message.bytes", List.of(10_000, 1_048_588),
            "message.timestamp.type", List.of("CreateTime", "LogAppendTime"),
            "compression.type", List.of("producer", "zstd", "uncompressed"),
            "cleanup.policy", List.of("delete", "compact", "compact,delete"),
            "preallocate", List.of(false, true),
            "index.interval.bytes", List.of(0, 512, 4096)));

    /** Small segments, which live fast; with large seeds the smallest that a broker allows. */
    private static final List<Integer> SMALL_SEGMENT_BYTES = List.of(6_000, 15_000, 30_000);

    /** Kafka's messages name the channel's object. */
    private static final Pattern CHANNEL = Pattern.compile("file channel `[^`]*`");

    private static final int DIRECTORY_EVERY = 20;

    private final Path dir;
    private final Path stateFile;
    private final Properties state = new Properties();
    private final SteppedTime time;
    private final LogUnderTest partition;
    private final TierWatch watch = new TierWatch();

    private ModelDriver(Path dir, boolean large) throws IOException {
        this.dir = dir;
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
                configs(large),
                Boolean.parseBoolean(state.getProperty("clean", "true")),
                number("startOffset", 0),
                number("recoveryPoint", 0));
        partition.firstDirtyOffset = number("firstDirtyOffset", 0);
    }

    public static void main(String[] arguments) throws Exception {
        Path dir = Path.of(arguments[0]);
        long seed = Long.parseLong(arguments[1]);
        int run = Integer.parseInt(arguments[2]);
        boolean large = seed % 4 == 0;
        ModelDriver driver = new ModelDriver(dir, large);
        driver.operate(new Random(seed * 1_000 + run), Integer.parseInt(arguments[3]), large ? 60_000 : 2_500, run);
        driver.watch.write(dir.resolve("tier-" + run + ".properties"));
        driver.end(arguments[4].equals("stop"));
    }

    private static Map<String, Object> configs(boolean large) {
        Map<String, Object> configs = new HashMap<>();
        configs.put("segment.bytes", 1 << 20);
        if (!large) {
            configs.put("internal.segment.bytes", SMALL_SEGMENT_BYTES.get(1));
        }
        configs.put("segment.index.bytes", 1 << 14);
        configs.put("retention.ms", 90_000_000L);
        configs.put("delete.retention.ms", 3_600_000L);
        configs.put("file.delete.delay.ms", 60_000L);
        return configs;
    }

    /** A broker's log manager, for what happens when it is made: the tier starts there, if it is woven in. */
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
    }

    private void operate(Random random, int operations, int valueBytes, int run) throws IOException, JMException {
        RandomOperations next = new RandomOperations(partition, random, new RandomBatches(random, time, valueBytes));
        try (BufferedWriter transcript = Files.newBufferedWriter(
                dir.resolve("transcript.txt"), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            write(transcript, "run " + run + " finds" + partition.segments() + directories());
            for (int i = 0; i < operations; i++) {
                String answer = next.next();
                partition.scheduler.runDue();
                partition.dateActiveSegment();
                watch.look(partition.log());
                write(transcript, run + "/" + i + " " + answer + " | " + offsets() + partition.scheduler.thrown());
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

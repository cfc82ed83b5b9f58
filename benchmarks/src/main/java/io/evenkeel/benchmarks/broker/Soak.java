/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.broker;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Footprint;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Gauges;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.SegmentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Does the broker's use of any resource grow without bound?
 *
 * <p>One patched broker with a small heap, small segments and a small SSD runs under topics that come and go,
 * retention, compaction, deletion and evictions. After each round the benchmark takes the broker's {@link Footprint}.
 * At the end it checks that each byte on the SSD belongs to a segment, and that the gauges return to zero.
 */
public final class Soak {
    private static final Set<String> ARGUMENTS = Set.of("--dir", "--minutes", "--seconds", "--round");
    private static final long BYTES_PER_SECOND = 8 << 20;
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int RETENTION_BYTES = 16 * SEGMENT_BYTES;
    private static final Duration DEADLINE = Duration.ofMinutes(2);
    private static final long POLL_MS = 200;
    private static final List<String> JVM = LabBroker.heap("512m");

    private final ForkedBroker broker;
    private final Duration length;
    private final Duration round;
    private final Flatness flatness = new Flatness();
    private final List<String> failures = new ArrayList<>();

    private Soak(Arguments arguments) {
        this.length =
                Duration.ofMinutes(arguments.number("--minutes", 0)).plusSeconds(arguments.number("--seconds", 0));
        this.round = Duration.ofSeconds(arguments.number("--round", 20));
        this.broker = new ForkedBroker(KafkaRuntime.find(), config(arguments.path("--dir")));
    }

    private static BrokerConfig config(Path dir) {
        return BrokerConfig.under(dir, 2, 1)
                .patched()
                .withJvmFlags(JVM)
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("log.retention.check.interval.ms", 1000)
                .with("log.segment.delete.delay.ms", 1000)
                .with("log.initial.task.delay.ms", 1000)
                .with("log.cleaner.backoff.ms", 1000)
                .with("tiered.ssd.capacity.bytes", 96 * SEGMENT_BYTES)
                .with("tiered.ssd.high.watermark.ratio", "0.4")
                .with("tiered.ssd.low.watermark.ratio", "0.3")
                .with("tiered.ssd.copy.interval.ms", 100);
    }

    /** Arguments: see {@code benchmarks/soak --help}. Exits with 1 when a resource grew or was not released. */
    public static void main(String[] args) throws Exception {
        Soak soak = new Soak(new Arguments(args, ARGUMENTS));
        try {
            soak.run();
        } finally {
            soak.broker.close();
        }
        soak.failures.forEach(failure -> System.out.println("FAILED: " + failure));
        if (!soak.failures.isEmpty()) {
            Path dir = soak.broker.config().nodeDir();
            Path kept = dir.resolveSibling(dir.getFileName() + ".log");
            Files.copy(soak.broker.logFile(), kept, StandardCopyOption.REPLACE_EXISTING);
            System.out.println("the broker's log: " + kept);
        }
        System.exit(soak.failures.isEmpty() ? 0 : 1);
    }

    private void run() throws Exception {
        broker.start();
        SoakLoad load = new SoakLoad(broker.clientProperties(), BYTES_PER_SECOND);
        load.create(RETENTION_BYTES);
        long endNanos = System.nanoTime() + length.toNanos();
        for (int number = 1; System.nanoTime() - endNanos < 0; number++) {
            load.round(number, round);
            awaitDeletion();
            Footprint sample = Footprint.of(broker);
            flatness.add(sample);
            System.out.println("round " + number + ": " + sample);
        }
        judgeGrowth();
        try (Gauges gauges = new Gauges(broker)) {
            System.out.printf(
                    "%d segments copied, %d evicted%n", gauges.tier("CopiedSegments"), gauges.tier("EvictedSegments"));
            if (flatness.isJudgeable()) { // a run of a few seconds may not fill the SSD
                demand("evictions", () -> gauges.tier("EvictedSegments") > 0);
            }
            judgeIdle(gauges);
            load.end();
            judgeEmpty(gauges);
        }
        broker.said(" ERROR ").stream()
                .filter(line -> !line.contains("QuorumController")) // logs an error when the machine is busy
                .forEach(failures::add);
    }

    /** The broker removes the directories of a deleted topic a second later. */
    private void awaitDeletion() throws Exception {
        demand("no directory of a deleted topic", () -> {
            for (Path logDir : broker.config().logDirs()) {
                try (Stream<Path> dirs = Files.list(logDir)) {
                    if (dirs.anyMatch(dir -> dir.toString().endsWith("-delete"))) {
                        return false;
                    }
                }
            }
            return true;
        });
    }

    private void judgeGrowth() {
        if (flatness.isJudgeable()) {
            failures.addAll(flatness.growth());
        } else {
            System.out.println("fewer than " + Flatness.ENOUGH + " rounds: growth is not judged");
        }
    }

    /** Nothing is written: all sealed segments are copied, and the bytes on the SSD are those of the gauges. */
    private void judgeIdle(Gauges gauges) throws Exception {
        for (String gauge :
                List.of("CopyLagSegments", "CopyLagBytes", "CopyLagMs", "QuarantinedSegments", "CopyFailures")) {
            demand(gauge + " is 0", () -> gauges.tier(gauge) == 0);
        }
        demand(
                "bytes on the SSD are those of the segments",
                () -> bytesOnSsd() == gauges.tier("BytesOnlyCache") + gauges.tier("BytesCached"));
        demand("no orphans", () -> SegmentFiles.of(broker.config()).strays().isEmpty());
    }

    /** All topics are deleted. */
    private void judgeEmpty(Gauges gauges) throws Exception {
        for (String gauge : List.of("SegmentsOnlyCache", "SegmentsCached", "SegmentsWithoutCache", "SsdUsedBytes")) {
            demand(gauge + " is 0 without topics", () -> gauges.tier(gauge) == 0);
        }
        demand("an empty SSD", () -> bytesOnSsd() == 0);
        demand("no orphans", () -> SegmentFiles.of(broker.config()).strays().isEmpty());
        if (!flatness.isJudgeable()) {
            return; // a smoke run does not wait for a minute
        }
        for (String gauge : List.of("CopyBytesPerSec", "EvictBytesPerSec", "SsdWriteBytesPerSec")) {
            demand(gauge + " is 0 after a minute", () -> gauges.tier(gauge) == 0);
        }
    }

    private long bytesOnSsd() throws IOException {
        long bytes = 0;
        for (Path ssd : broker.config().ssdDirs()) {
            try (Stream<Path> files = Files.walk(ssd)) {
                for (Path file : files.filter(
                                path -> path.getFileName().toString().contains(".log"))
                        .toList()) {
                    bytes += Files.size(file);
                }
            }
        }
        return bytes;
    }

    /** Waits until a condition holds, and notes a failure when it does not in time. */
    private void demand(String name, Callable<Boolean> condition) throws Exception {
        long endNanos = System.nanoTime() + DEADLINE.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - endNanos > 0) {
                failures.add("not within " + DEADLINE + ": " + name);
                return;
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MS);
        }
        System.out.println("ok: " + name);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.stock;

import static io.evenkeel.it.stock.Twins.BATCHES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.SameBatches;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Log directories look to Kafka and to its tools as with stock. The copier is slow here, so that there is time to meet
 * it.
 */
class StayStockDisksIT {
    private static final int COPY_BYTES_PER_SECOND = 6 << 20;
    private static final Pattern PARTITION = Pattern.compile("\\{\"partition\":[^}]*}");

    @RegisterExtension
    static final Twins TWINS =
            new Twins(config -> config.with("tiered.ssd.copy.bytes.per.second", COPY_BYTES_PER_SECOND)
                    .with("tiered.ssd.copy.min.bytes.per.second", COPY_BYTES_PER_SECOND));

    @Test
    void partitionMovesToTheOtherLogDirectoryAndBackWhileItIsCopied() {
        SameBatches batches = new SameBatches("moved", System.currentTimeMillis());
        TWINS.create("moved", Map.of());
        TWINS.both(broker -> batches.append(broker, BATCHES));
        assertThat(tieredSegments("moved").in(State.ONLY_CACHE))
                .as("the copier is still at it")
                .hasSizeGreaterThan(2);
        List<String> before = TWINS.same(broker -> Twins.segmentBytes(broker, "moved"));
        for (int way = 0; way < 2; way++) {
            TWINS.both(broker -> moveToTheOther(broker, "moved"));
            List<String> after = TWINS.same(broker -> Twins.segmentBytes(broker, "moved"));
            assertThat(after).isEqualTo(before);
            TWINS.same(broker -> Reading.all(broker, "moved"));
        }
        TWINS.awaitNoStrays();
    }

    private static void moveToTheOther(Broker broker, String topic) {
        Path from = onlyLogDir(broker, topic);
        Path to = broker.config().logDirs().stream()
                .filter(logDir -> !logDir.equals(from))
                .findFirst()
                .orElseThrow();
        new Topics(broker).move(topic, 0, to.toString());
        await().atMost(Twins.DEADLINE).until(() -> dirsOf(broker, topic), List.of(to.resolve(topic + "-0"))::equals);
    }

    private static Path onlyLogDir(Broker broker, String topic) {
        List<Path> dirs = dirsOf(broker, topic);
        assertThat(dirs).hasSize(1);
        return dirs.get(0).resolveSibling("");
    }

    /** Where there is anything of the partition, be it on its way in or out. */
    private static List<Path> dirsOf(Broker broker, String topic) {
        List<Path> found = new ArrayList<>();
        for (Path logDir : broker.config().logDirs()) {
            try (var entries = Files.list(logDir)) {
                entries.filter(dir -> dir.getFileName().toString().startsWith(topic + "-0"))
                        .forEach(found::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }

    @Test
    void toolsSeeTheSameSegmentsAndTheSameSizes() {
        SameBatches batches = new SameBatches("dumped", 700, offset -> 1_700_000_000_000L + offset);
        TWINS.create("dumped", Map.of("retention.ms", "-1"));
        TWINS.both(broker -> batches.append(broker, BATCHES));
        SegmentFiles files = TWINS.awaitBothDisks("dumped");
        List<String> names = new ArrayList<>();
        List<String> starts = new ArrayList<>();
        for (State state : List.of(State.ONLY_CACHE, State.WITHOUT_CACHE)) {
            List<Segment> segments = files.in(state);
            Segment last = segments.get(segments.size() - 1); // of those on the SSD only, the one in use
            starts.add("| offset: " + last.baseOffset() + " ");
            String name = last.path().getFileName().toString();
            names.add(name);
            names.add(name.replace(".log", ".index"));
            names.add(name.replace(".log", ".timeindex"));
        }
        String dump = TWINS.same(broker -> dump(broker, names));
        assertThat(dump).contains(starts).contains("timestamp: ").doesNotContainIgnoringCase("exception");

        Set<String> sizes = TWINS.same(StayStockDisksIT::logDirSizes);
        long bytes = files.segments().stream().mapToLong(Segment::bytes).sum();
        assertThat(sizes).anyMatch(line -> line.contains("\"dumped-0\",\"size\":" + bytes + ","));
    }

    private static SegmentFiles tieredSegments(String topic) {
        return SegmentFiles.of(TWINS.tiered().config()).of(topic);
    }

    /**
     * What kafka-dump-log.sh says of these files, without where they are; its remarks at the end are in no certain
     * order.
     */
    private static String dump(Broker broker, List<String> names) {
        Path dir = onlyLogDir(broker, "dumped").resolve("dumped-0");
        String files = names.stream().map(name -> dir.resolve(name).toString()).collect(Collectors.joining(","));
        String all = run(broker, "org.apache.kafka.tools.DumpLogSegments", "--deep-iteration", "--files", files)
                .replace(dir.toString(), "<dir>")
                .replace("\n  ", " ");
        String remark = "Non-consecutive";
        return Stream.concat(
                        all.lines().filter(line -> !line.startsWith(remark)),
                        all.lines().filter(line -> line.startsWith(remark)).sorted())
                .collect(Collectors.joining("\n"));
    }

    /** The output of kafka-log-dirs.sh for each partition, in either log directory. */
    private static Set<String> logDirSizes(Broker broker) {
        String topics = "dumped,moved";
        String answer = run(
                broker,
                "org.apache.kafka.tools.LogDirsCommand",
                "--bootstrap-server",
                broker.bootstrap(),
                "--describe",
                "--topic-list",
                topics);
        return PARTITION
                .matcher(answer)
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String run(Broker broker, String tool, String... arguments) {
        try {
            Path output = Files.createTempFile(broker.config().nodeDir(), "tool", ".txt");
            int exit = KafkaRuntime.find().run(output, List.of(), tool, List.of(arguments));
            String said = Files.readString(output);
            assertThat(exit).as(said).isZero();
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

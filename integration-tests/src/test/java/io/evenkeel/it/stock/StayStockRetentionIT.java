/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.stock;

import static io.evenkeel.it.stock.Twins.BATCHES;
import static io.evenkeel.it.stock.Twins.SEGMENT_BYTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.SameBatches;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.record.internal.RecordBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The broker deletes the same segments as stock, at the same time, and none of their files stay on the SSD. */
class StayStockRetentionIT {
    @RegisterExtension
    static final Twins TWINS = new Twins(config -> config);

    private static final long NOW_MS = System.currentTimeMillis();
    private static final long DAYS_AGO_MS = NOW_MS - Duration.ofDays(3).toMillis();
    private static final String ONE_DAY_MS = String.valueOf(Duration.ofDays(1).toMillis());
    private static final Map<String, String> KEEP_ALL = Map.of("retention.ms", "-1", "retention.bytes", "-1");

    @Test
    void recordsLeaveByTheirTimestamps() {
        long firstOfToday = 80L * SameBatches.RECORDS;
        fill(new SameBatches("by-timestamp", 1000, offset -> offset < firstOfToday ? DAYS_AGO_MS : NOW_MS));
        expectTheOldToLeave("by-timestamp", Map.of("retention.ms", ONE_DAY_MS), firstOfToday);
    }

    /** Then it is the time of the last write to the file that decides, which copy and eviction must keep. */
    @Test
    void recordsWithoutTimestampsLeaveByTheirSegmentsTime() {
        SameBatches timeless = new SameBatches("timeless", 1000, offset -> RecordBatch.NO_TIMESTAMP);
        TWINS.create("timeless", KEEP_ALL);
        TWINS.both(broker -> {
            timeless.append(broker, 80, (short) -1, () -> dateLastSegment(broker, "timeless", DAYS_AGO_MS));
            timeless.append(broker, BATCHES - 80);
        });
        TWINS.awaitBothDisks("timeless");
        Set<Long> times = TWINS.same(broker -> timesBefore(broker, "timeless", NOW_MS));
        assertThat(times).containsExactly(DAYS_AGO_MS);
        expectTheOldToLeave("timeless", Map.of("retention.ms", ONE_DAY_MS), 80L * SameBatches.RECORDS);
    }

    @Test
    void logAppendTimeDecidesWhenTheTopicSaysSo() {
        TWINS.create("append-time", Map.of("retention.ms", ONE_DAY_MS, "message.timestamp.type", "LogAppendTime"));
        SameBatches old = new SameBatches("append-time", DAYS_AGO_MS);
        TWINS.both(broker -> old.append(broker, BATCHES));
        TWINS.awaitBothDisks("append-time");
        long before = TWINS.same(broker -> new Topics(broker).earliest("append-time", 0));
        assertThat(before).isZero();
        TWINS.both(broker -> new Topics(broker).configure("append-time", Map.of("retention.ms", "1")));
        long end = (long) BATCHES * SameBatches.RECORDS;
        TWINS.awaitSame(broker -> new Topics(broker).earliest("append-time", 0), earliest -> earliest == end);
        expectNoLeftovers("append-time");
    }

    @Test
    void logIsCutToItsSize() {
        fill(new SameBatches("by-size", NOW_MS));
        expectTheOldToLeave("by-size", Map.of("retention.bytes", String.valueOf(4 * SEGMENT_BYTES)), Long.MAX_VALUE);
    }

    @Test
    void deletedRecordsAreGoneInWhateverStateTheirSegmentWas() {
        fill(new SameBatches("delete-records", NOW_MS));
        for (SegmentFiles.State state :
                List.of(SegmentFiles.State.WITHOUT_CACHE, SegmentFiles.State.CACHED, SegmentFiles.State.ONLY_CACHE)) {
            long inTheMiddle = SegmentFiles.of(TWINS.tiered().config()).of("delete-records").in(state).stream()
                            .mapToLong(Segment::baseOffset)
                            .max()
                            .orElseThrow()
                    + 30;
            TWINS.both(broker -> new Topics(broker).deleteRecordsBefore("delete-records", 0, inTheMiddle));
            long earliest = TWINS.same(broker -> new Topics(broker).earliest("delete-records", 0));
            assertThat(earliest).isEqualTo(inTheMiddle);
            TWINS.same(broker -> Reading.all(broker, "delete-records"));
            TWINS.awaitSame(
                    broker -> Twins.segmentBytes(broker, "delete-records"),
                    segments -> startsAt(segments, inTheMiddle));
        }
        expectNoLeftovers("delete-records");
    }

    @Test
    void topicOfTheSameNameStartsAnew() {
        fill(new SameBatches("again", DAYS_AGO_MS));
        TWINS.both(broker -> new Topics(broker).delete("again"));
        await().atMost(Twins.DEADLINE)
                .until(() -> Stream.of(TWINS.stock(), TWINS.tiered())
                        .noneMatch(broker -> new Topics(broker).names().contains("again")));
        fill(new SameBatches("again", NOW_MS));
        TWINS.same(broker -> Reading.all(broker, "again"));
        TWINS.both(broker ->
                await().atMost(Twins.DEADLINE).until(() -> dirsOf(broker, "again"), List.of("again-0")::equals));
        expectNoLeftovers("again");
        TWINS.same(broker -> Twins.segmentBytes(broker, "again"));
    }

    private static void fill(SameBatches batches) {
        TWINS.create(batches.topic(), KEEP_ALL);
        TWINS.both(broker -> batches.append(broker, BATCHES));
        TWINS.awaitBothDisks(batches.topic());
        TWINS.same(broker -> Twins.segmentBytes(broker, batches.topic()));
    }

    /** @param limit no record from there on may leave */
    private static void expectTheOldToLeave(String topic, Map<String, String> configs, long limit) {
        TWINS.both(broker -> new Topics(broker).configure(topic, configs));
        long earliest = TWINS.awaitSame(broker -> new Topics(broker).earliest(topic, 0), offset -> offset > 0);
        assertThat(earliest).isLessThanOrEqualTo(limit);
        TWINS.awaitSame(broker -> Twins.segmentBytes(broker, topic), segments -> startsAt(segments, earliest));
        TWINS.same(broker -> Reading.all(broker, topic));
        expectNoLeftovers(topic);
    }

    /** True when the segment with that offset is the first. */
    private static boolean startsAt(List<String> segments, long offset) {
        List<Long> bases = segments.stream()
                .map(segment -> Long.parseLong(segment.substring(0, 20)))
                .toList();
        return bases.get(0) <= offset && (bases.size() == 1 || bases.get(1) > offset);
    }

    /** Of the topic, the SSD holds only the files of live segments. */
    private static void expectNoLeftovers(String topic) {
        TWINS.awaitNoStrays();
        await().atMost(Twins.DEADLINE)
                .untilAsserted(() -> assertThat(ssdFiles(topic))
                        .isEqualTo(SegmentFiles.of(TWINS.tiered().config()).of(topic).segments().stream()
                                .map(Segment::ssdFile)
                                .filter(file -> file != null)
                                .collect(Collectors.toSet())));
    }

    private static Set<Path> ssdFiles(String topic) throws IOException {
        try (Stream<Path> files = Files.walk(TWINS.tiered().config().ssdDirs().get(0))) {
            return files.filter(Files::isRegularFile)
                    .filter(file ->
                            file.resolveSibling("").getFileName().toString().startsWith(topic + "-0"))
                    .collect(Collectors.toSet());
        } catch (UncheckedIOException wentAwayMeanwhile) {
            return Set.of(Path.of("?"));
        }
    }

    private static List<String> dirsOf(Broker broker, String topic) throws IOException {
        Set<String> found = new HashSet<>();
        for (Path logDir : broker.config().logDirs()) {
            try (Stream<Path> dirs = Files.list(logDir)) {
                dirs.map(dir -> dir.getFileName().toString())
                        .filter(name -> name.startsWith(topic + "-"))
                        .forEach(found::add);
            }
        }
        return List.copyOf(found);
    }

    private static void dateLastSegment(Broker broker, String topic, long timeMs) {
        Path last = SegmentFiles.of(broker.config()).of(topic).segments().stream()
                .max(Comparator.comparingLong(Segment::baseOffset))
                .orElseThrow()
                .path();
        try {
            Files.setLastModifiedTime(last, FileTime.fromMillis(timeMs));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** When the segments were written that were not written just now. */
    private static Set<Long> timesBefore(Broker broker, String topic, long timeMs) {
        return SegmentFiles.of(broker.config()).of(topic).segments().stream()
                .map(segment -> segment.path().toFile().lastModified())
                .filter(modifiedMs -> modifiedMs < timeMs)
                .collect(Collectors.toSet());
    }
}

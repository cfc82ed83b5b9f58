/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.TruncatedTail;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.disk.LogDir;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

/** The plan of a start is a value: it is made and printed without a disk. */
class RecoveryPlanTest {
    private static final Path HDD = Path.of("/hdd");
    private static final Path PARTITION = HDD.resolve("topic-0");
    private static final KafkaCheckpoints CRASHED = new KafkaCheckpoints(Map.of("topic-0", 120L), Map.of(), false);

    private static TailTruncation truncation(KafkaCheckpoints checkpoints) {
        LogDir logDir = new LogDir(HDD, "id-0", new Hdd(() -> 0, 1), List.of());
        List<Path> files = List.of(
                segment("00000000000000000100.log"),
                segment("00000000000000000100.index"),
                segment("00000000000000000100.snapshot"),
                segment("00000000000000000200.log"),
                segment("00000000000000000300.log"));
        return TailTruncation.of(new ScannedTail(logDir, PARTITION, 100, files, checkpoints));
    }

    private static Path segment(String name) {
        return PARTITION.resolve(name);
    }

    @Test
    void planIsPrintedInTheOrderOfItsActions() {
        Leftovers leftovers = new Leftovers();
        leftovers.hddFiles().add(segment("00000000000000000000.log.tiering"));
        leftovers.addSsdFile(PARTITION, Path.of("/ssd/id-0/topic-0/00000000000000000200.log"));
        leftovers.emptyDirs().add(Path.of("/ssd/id-0/topic-0"));
        RecoveryPlan plan = new RecoveryPlan(
                List.of(truncation(CRASHED)), leftovers, List.of(PARTITION), new ConcurrentHashMap<>());
        assertThat(plan).hasToString("""
                truncate /hdd/topic-0 to 100
                  remove /hdd/topic-0/00000000000000000300.log
                  remove /hdd/topic-0/00000000000000000200.log
                  remove /hdd/topic-0/00000000000000000100.index
                  mark as incomplete from 100
                  make empty /hdd/topic-0/00000000000000000100.log
                remove /hdd/topic-0/00000000000000000000.log.tiering
                make names durable in /hdd/topic-0
                  remove /ssd/id-0/topic-0/00000000000000000200.log
                remove if empty /ssd/id-0/topic-0
                incomplete replica /hdd/topic-0
                keep 0 copies""");
    }

    @Test
    void startWithNothingToDoHasAnEmptyPlan() {
        assertThat(new RecoveryPlan(List.of(), new Leftovers(), List.of(), new ConcurrentHashMap<>()))
                .hasToString("keep 0 copies");
    }

    @Test
    void operatorIsToldHowManySegmentsAreTruncatedAndHowFarTheLogWent() {
        assertThat(truncation(CRASHED).tail()).isEqualTo(new TruncatedTail(PARTITION, 100, 3, 300));
    }

    @Test
    void cleanShutdownThatEndedAtTheMissingSegmentLosesNoRecord() {
        KafkaCheckpoints clean = new KafkaCheckpoints(Map.of("topic-0", 100L), Map.of(), true);
        assertThat(truncation(clean).losesRecords()).isFalse();
        assertThat(truncation(CRASHED).losesRecords()).isTrue();
    }

    @Test
    void logEndsAtItsStartOffsetWhenThatIsGreater() {
        KafkaCheckpoints later = new KafkaCheckpoints(Map.of(), Map.of("topic-0", 150L), false);
        assertThat(truncation(later).newEndOffset()).isEqualTo(150);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.FakeBroker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A replica that has lost records must not lead before it has followed a leader. */
class IncompleteReplicasTest {
    @TempDir
    Path root;

    private DamagedLog log;

    @BeforeEach
    void start() throws IOException {
        log = new DamagedLog(root);
    }

    private @Nullable Path mustNotLead() throws IOException {
        return log.broker.tier().mustNotLead("topic-0", 3, 1);
    }

    @Test
    void incompleteReplicaMustNotLeadBeforeItHasFollowed() throws Exception {
        log.life();
        assertThat(mustNotLead()).isNull();
        log.lose(300);
        log.restartTruncating();
        Path marker = log.partition.resolve(IncompleteReplicas.MARKER);
        assertThat(mustNotLead()).isEqualTo(marker);
        assertThat(log.broker.tier().mustNotLead("topic-1", 3, 1)).isNull();
        log.broker.restart();
        assertThat(mustNotLead()).as("also after a restart").isEqualTo(marker);
        FakeBroker.append(log.broker.open(FakeBroker.segment(log.partition, 300)), new byte[1]);
        assertThat(mustNotLead()).as("a leader has sent records").isNull();
        assertThat(marker).doesNotExist();
        log.broker.restart();
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void markerIsRemovedAtTheNextStartWhenALeaderHasSentRecords() throws Exception {
        log.life();
        log.lose(300);
        log.restartTruncating();
        FakeBroker.append(log.broker.open(FakeBroker.segment(log.partition, 300)), new byte[1]);
        log.broker.restart();
        assertThat(log.partition.resolve(IncompleteReplicas.MARKER)).doesNotExist();
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void replicaThatIsTruncatedASecondTimeIsIncompleteAgain() throws Exception {
        log.life();
        log.lose(300);
        log.restartTruncating();
        FakeBroker.append(log.broker.open(FakeBroker.segment(log.partition, 300)), new byte[1]);
        log.broker.open(FakeBroker.segment(log.partition, 400));
        log.lose(400);
        log.restartTruncating();
        assertThat(mustNotLead()).isNotNull().hasContent("400");
    }

    @Test
    void incompleteReplicaMayLeadWhenALeaderHasTakenItBack() throws Exception {
        log.life();
        log.lose(300);
        log.restartTruncating();
        assertThat(log.broker.tier().mustNotLead("topic-0", 3, 2)).isNull();
        assertThat(log.partition.resolve(IncompleteReplicas.MARKER)).doesNotExist();
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void onlyReplicaMayLeadWithTheRemainingRecords() throws Exception {
        log.life();
        log.lose(300);
        log.restartTruncating();
        assertThat(log.broker.tier().mustNotLead("topic-0", 1, 1)).isNull();
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void replicaThatALeaderHasTruncatedFurtherMayLead() throws Exception {
        log.life();
        log.lose(300);
        log.restartTruncating();
        Files.delete(FakeBroker.segment(log.partition, 300));
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void operatorMayLetItLeadByDeletingTheMarker() throws Exception {
        log.life();
        log.lose(300);
        log.restartTruncating();
        Files.delete(log.partition.resolve(IncompleteReplicas.MARKER));
        log.broker.restart();
        assertThat(mustNotLead()).isNull();
    }

    /**
     * Records beyond its new end had been deleted, so Kafka's loader starts a new log; no leader has sent records yet.
     */
    @Test
    void logThatKafkaStartsFromScratchIsStillIncomplete() throws Exception {
        log.life();
        Files.writeString(log.broker.hdds.get(0).resolve("log-start-offset-checkpoint"), "0\n1\ntopic 0 320\n");
        log.lose(300);
        log.restartTruncating();
        try (Stream<Path> files = Files.list(log.partition)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                Files.delete(file);
            }
        }
        FileChannel fresh = log.broker.open(FakeBroker.segment(log.partition, 320));
        assertThat(mustNotLead()).isNotNull();
        FakeBroker.append(fresh, new byte[1]);
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void replicaThatHasLostNothingIsComplete() throws Exception {
        log.life();
        Files.writeString(log.broker.hdds.get(0).resolve("recovery-point-offset-checkpoint"), "0\n1\ntopic 0 300\n");
        log.lose(300);
        log.restartTruncating();
        assertThat(log.broker.listener.events).containsExactly("truncating topic-0 from 300 to 300, 1 segments");
        assertThat(mustNotLead()).isNull();
    }
}

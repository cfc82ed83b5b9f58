/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.api.OnMissing;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With {@link OnMissing#TRUNCATE}, the missing tail of a log is truncated, and nothing else changes. */
class TruncatedTailsTest {
    @TempDir
    Path root;

    private DamagedLog log;

    @BeforeEach
    void start() throws IOException {
        log = new DamagedLog(root);
    }

    @Test
    void onlyTheMissingTailIsTruncated() throws Exception {
        log.life();
        log.lose(300);
        log.restartTruncating();
        log.assertTruncatedTo(300);
        assertThat(log.broker.listener.events).containsExactly("truncating topic-0 from 300 to 350, 1 segments");
        assertThat(log.names()).doesNotContain("00000000000000000350.snapshot");
    }

    @Test
    void segmentsAfterAMissingOneAreTruncated() throws Exception {
        log.life();
        log.lose(200);
        log.restartTruncating();
        log.assertTruncatedTo(200);
        assertThat(log.broker.listener.events)
                .containsExactly("truncating topic-0 from 200 to 350, 2 segments", "leftoversRemoved topic-0 1 1000");
    }

    @Test
    void realFilesAfterAMissingSegmentAreRemovedWithTheirCopies() throws Exception {
        log.segment(0);
        log.broker.copy();
        log.segment(100);
        log.segment(200);
        log.segment(300);
        log.broker.copy();
        for (String name : List.of("leader-epoch-checkpoint", "partition.metadata")) {
            Files.createFile(log.partition.resolve(name));
        }
        Path first = FakeBroker.segment(log.partition, 0);
        Path lost = log.broker.ssds.get(0).resolve("id-0/topic-0/lost.log");
        Files.delete(first);
        Files.createSymbolicLink(first, lost);
        assertThat(log.broker.ssdFiles()).hasSize(4);
        log.restartTruncating();
        log.assertTruncatedTo(0);
        assertThat(log.broker.ssdFiles()).isEmpty();
        log.broker.restart();
        log.broker.open(first);
    }

    @Test
    void otherPartitionsAndLogDirectoriesAreNotAffected() throws Exception {
        log.life();
        Path sibling = FakeBroker.segment(log.broker.partition("sibling-0"), 0);
        FakeBroker.append(log.broker.open(sibling), new byte[10]);
        Path other = FakeBroker.segment(
                Files.createDirectories(log.broker.hdds.get(1).resolve("other-0")), 0);
        FakeBroker.append(log.broker.open(other), new byte[10]);
        log.lose(300);
        log.restartTruncating();
        log.assertTruncatedTo(300);
        assertThat(Files.size(sibling)).isEqualTo(10);
        assertThat(Files.size(other)).isEqualTo(10);
        assertThat(DamagedLog.cleanShutdownFile(log.broker.hdds.get(1))).exists();
    }

    @Test
    void blankSsdReplacesTheLostOne() throws Exception {
        log.life();
        StartRefusalTest.delete(log.broker.ssds.get(0));
        Files.createDirectory(log.broker.ssds.get(0));
        log.restartTruncating();
        log.assertTruncatedTo(200);
        assertThat(log.broker.listener.events).contains("ssdReplaced ssd0");
        log.broker.restart();
        log.broker.open(FakeBroker.segment(log.partition, 200));
        log.broker.open(FakeBroker.segment(log.partition, 250));
        assertThat(FakeBroker.segment(log.partition, 250)).isSymbolicLink();
    }

    @Test
    void brokerStartsWithoutAMissingSsd() throws Exception {
        log.life();
        StartRefusalTest.delete(log.broker.ssds.get(0));
        log.restartTruncating();
        log.assertTruncatedTo(200);
        log.broker.open(FakeBroker.segment(log.partition, 200));
        Path next = FakeBroker.segment(log.partition, 250);
        log.broker.open(next);
        assertThat(Files.isSymbolicLink(next)).isFalse();
        log.broker.copy();
        log.broker.evict();
        assertThat(log.broker.ssds.get(0)).doesNotExist();
        assertThatThrownBy(log.broker::restart).hasMessageContaining("ssd0 is missing");
        Files.createDirectory(log.broker.ssds.get(0));
        log.broker.restart();
    }

    @Test
    void noFileOnAStaleSsdIsTrusted() throws Exception {
        log.life();
        Path image = root.resolve("image");
        StartRefusalTest.copy(log.broker.ssds.get(0), image);
        log.broker.restart();
        StartRefusalTest.delete(log.broker.ssds.get(0));
        Files.move(image, log.broker.ssds.get(0));
        log.restartTruncating();
        log.assertTruncatedTo(200);
        assertThat(log.broker.ssdFiles()).as("not even the copies").isEmpty();
        log.broker.restart();
        assertThat(log.broker.listener.events).hasSize(2);
    }

    @Test
    void staleSsdThatNoLinkPointsToIsEmptied() throws Exception {
        FileChannel only = log.segment(0);
        log.segment(100);
        log.broker.copy();
        log.broker.delete(only, FakeBroker.segment(log.partition, 0));
        Path image = root.resolve("image");
        StartRefusalTest.copy(log.broker.ssds.get(0), image);
        Files.delete(FakeBroker.segment(log.partition, 100));
        log.broker.restart();
        StartRefusalTest.delete(log.broker.ssds.get(0));
        Files.move(image, log.broker.ssds.get(0));
        assertThat(log.broker.ssdFiles()).isNotEmpty();
        log.broker.restart();
        assertThat(log.broker.ssdFiles()).isEmpty();
    }

    /** The broker does not trust the file and does not need it; but it may be all that is left of the replica. */
    @Test
    void fileOfAStrayReplicaStaysOnAStaleSsd() throws Exception {
        FileChannel only = log.segment(0);
        Path stray = log.partition.resolveSibling("topic-0.0123456789abcdef-stray");
        Files.move(log.partition, stray);
        log.broker.tier().renamed(only, FakeBroker.segment(stray, 0));
        Path image = root.resolve("image");
        StartRefusalTest.copy(log.broker.ssds.get(0), image);
        log.broker.restart();
        StartRefusalTest.delete(log.broker.ssds.get(0));
        Files.move(image, log.broker.ssds.get(0));
        log.broker.restart();
        assertThat(FakeBroker.segment(stray, 0)).isSymbolicLink().hasBinaryContent(log.written.get(0L));
    }

    @Test
    void lostSsdThatHeldOnlyCopiesNeedsNoTruncation() throws Exception {
        FileChannel active = log.segment(100);
        log.broker.delete(active, FakeBroker.segment(log.partition, 100));
        log.segment(0);
        FileChannel last = log.segment(200);
        log.broker.copy();
        log.broker.delete(last, FakeBroker.segment(log.partition, 200));
        StartRefusalTest.delete(log.broker.ssds.get(0));
        Files.createDirectory(log.broker.ssds.get(0));
        log.broker.listener.events.clear();
        log.broker.restart();
        assertThat(log.broker.listener.events).containsExactly("ssdReplaced ssd0");
        assertThat(FakeBroker.segment(log.partition, 0)).hasBinaryContent(log.written.get(0L));
    }

    @Test
    void tailsOnAnSsdThatIsNoLongerConfiguredAreTruncated() throws Exception {
        log.life();
        StartRefusalTest.delete(log.broker.ssds.get(0));
        log.broker.configure(OnMissing.TRUNCATE, List.of(log.broker.ssds.get(1)));
        log.broker.restart();
        log.assertTruncatedTo(200);
        log.broker.configure(OnMissing.FAIL);
        log.broker.restart();
    }

    @Test
    void missingSegmentThatKafkaIsAboutToDeleteIsIgnored() throws Exception {
        log.life();
        Path dying = log.partition.resolveSibling("topic-0.0123456789abcdef0123456789abcdef-delete");
        log.lose(300);
        Files.move(log.partition, dying);
        FileChannel channel = log.broker.open(FakeBroker.segment(log.broker.partition("other-0"), 0));
        FakeBroker.append(channel, new byte[10]);
        Path deleted = log.broker.partition("other-0").resolve("00000000000000000000.log.deleted");
        log.broker.rename(channel, FakeBroker.segment(log.broker.partition("other-0"), 0), deleted);
        Files.delete(Files.readSymbolicLink(deleted));
        log.broker.restart();
        assertThat(Files.isSymbolicLink(deleted)).isFalse();
        assertThat(Files.isSymbolicLink(dying.resolve("00000000000000000300.log")))
                .isFalse();
        assertThat(dying.resolve("00000000000000000200.log")).exists();
        assertThat(DamagedLog.cleanShutdownFile(log.broker.hdds.get(0))).exists();
    }
}

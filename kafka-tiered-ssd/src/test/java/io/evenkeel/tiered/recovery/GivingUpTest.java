/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.FaultyFileOps;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.IdentityFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** With {@link OnMissing#TRUNCATE}, the tail that is missing goes, and nothing else. */
class GivingUpTest {
    private static final int ENOUGH = 1_000;

    @TempDir
    Path root;

    private FakeBroker broker;
    private Path partition;
    private final Map<Long, byte[]> written = new TreeMap<>();

    @BeforeEach
    void start() throws IOException {
        start(root);
    }

    private void start(Path dir) throws IOException {
        broker = new FakeBroker(dir, 2, 2, 4 * FakeBroker.SEGMENT_BYTES);
        partition = broker.partition("topic-0");
        written.clear();
    }

    /** A segment with all that Kafka puts beside it, in the first log directory, whose SSD is the first. */
    private FileChannel segment(long baseOffset) throws IOException {
        FileChannel channel = broker.open(FakeBroker.segment(partition, baseOffset));
        byte[] data = new byte[1000];
        Arrays.fill(data, (byte) (baseOffset / 100 + 1));
        FakeBroker.append(channel, data);
        for (String suffix : List.of("index", "timeindex", "txnindex", "snapshot")) {
            Files.createFile(beside(baseOffset, suffix));
        }
        written.put(baseOffset, data);
        return channel;
    }

    private Path beside(long baseOffset, String suffix) {
        return partition.resolve(String.format("%020d.%s", baseOffset, suffix));
    }

    /** Segments 0 and 100 on both devices, 200 and 300 on the SSD only; Kafka's own files; a clean shutdown. */
    private void life() throws Exception {
        segment(0);
        segment(100);
        segment(200);
        broker.sync();
        FileChannel again = broker.open(FakeBroker.segment(partition, 200));
        again.truncate(again.size() - 1); // puts the link back
        written.put(200L, FakeBroker.read(again));
        segment(300);
        Files.createFile(beside(350, "snapshot"));
        Files.createFile(partition.resolve("leader-epoch-checkpoint"));
        Files.createFile(partition.resolve("partition.metadata"));
        for (Path hdd : broker.hdds) {
            Files.createFile(cleanShutdownMark(hdd));
        }
        Files.writeString(broker.hdds.get(0).resolve("recovery-point-offset-checkpoint"), "0\n1\ntopic 0 350\n");
        assertThat(Files.isSymbolicLink(FakeBroker.segment(partition, 100))).isFalse();
        assertThat(FakeBroker.segment(partition, 200)).isSymbolicLink();
        assertThat(FakeBroker.segment(partition, 300)).isSymbolicLink();
        broker.listener.events.clear();
    }

    private static Path cleanShutdownMark(Path hdd) {
        return hdd.resolve(".kafka_cleanshutdown");
    }

    private void lose(long baseOffset) throws IOException {
        Files.delete(Files.readSymbolicLink(FakeBroker.segment(partition, baseOffset)));
    }

    private void restartGivingUp() throws IOException {
        broker.configure(OnMissing.TRUNCATE);
        broker.restart();
        broker.configure(OnMissing.FAIL);
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(partition)) {
            return files.map(SegmentFileName::nameOf).sorted().toList();
        }
    }

    /**
     * The log as far as {@code end} is as it was; there is an empty segment; nothing else; and no copies are left over.
     */
    private void assertTruncatedTo(long end) throws IOException {
        for (Map.Entry<Long, byte[]> segment : written.entrySet()) {
            Path path = FakeBroker.segment(partition, segment.getKey());
            if (segment.getKey() < end) {
                assertThat(path).hasBinaryContent(segment.getValue());
                assertThat(beside(segment.getKey(), "index")).exists();
            } else if (segment.getKey() > end) {
                assertThat(Files.exists(path, NOFOLLOW_LINKS)).isFalse();
                assertThat(beside(segment.getKey(), "snapshot")).doesNotExist();
                assertThat(beside(segment.getKey(), "index")).doesNotExist();
            }
        }
        Path first = FakeBroker.segment(partition, end);
        assertThat(first).isEmptyFile();
        assertThat(Files.isSymbolicLink(first)).isFalse();
        assertThat(beside(end, "snapshot")).exists();
        assertThat(beside(end, "index")).doesNotExist();
        assertThat(beside(end, "timeindex")).doesNotExist();
        assertThat(beside(end, "txnindex")).doesNotExist();
        assertThat(partition.resolve("leader-epoch-checkpoint")).exists();
        assertThat(partition.resolve("partition.metadata")).exists();
        assertThat(broker.ssdFiles()).allMatch(file -> SegmentFileName.leadingOffset(file) < end);
        assertThat(cleanShutdownMark(broker.hdds.get(0))).doesNotExist();
    }

    @Test
    void missingTailGoesAndNothingElse() throws Exception {
        life();
        lose(300);
        restartGivingUp();
        assertTruncatedTo(300);
        assertThat(broker.listener.events).containsExactly("givingUp topic-0 from 300 to 350, 1 segments");
        assertThat(names()).doesNotContain("00000000000000000350.snapshot");
    }

    @Test
    void whatComesAfterAMissingSegmentGoesWithIt() throws Exception {
        life();
        lose(200);
        restartGivingUp();
        assertTruncatedTo(200);
        assertThat(broker.listener.events).containsExactly("givingUp topic-0 from 200 to 350, 2 segments");
    }

    @Test
    void realFilesAfterAMissingSegmentGoWithTheirCopies() throws Exception {
        segment(0);
        broker.sync();
        segment(100);
        segment(200);
        segment(300);
        broker.sync();
        for (String name : List.of("leader-epoch-checkpoint", "partition.metadata")) {
            Files.createFile(partition.resolve(name));
        }
        Path first = FakeBroker.segment(partition, 0);
        Path lost = broker.ssds.get(0).resolve("id-0/topic-0/lost.log");
        Files.delete(first);
        Files.createSymbolicLink(first, lost);
        assertThat(broker.ssdFiles()).hasSize(4);
        restartGivingUp();
        assertTruncatedTo(0);
        assertThat(broker.ssdFiles()).isEmpty();
        broker.restart();
        broker.open(first);
    }

    @Test
    void otherPartitionsAndLogDirectoriesAreNotConcerned() throws Exception {
        life();
        Path sibling = FakeBroker.segment(broker.partition("sibling-0"), 0);
        FakeBroker.append(broker.open(sibling), new byte[10]);
        Path other =
                FakeBroker.segment(Files.createDirectories(broker.hdds.get(1).resolve("other-0")), 0);
        FakeBroker.append(broker.open(other), new byte[10]);
        lose(300);
        restartGivingUp();
        assertTruncatedTo(300);
        assertThat(Files.size(sibling)).isEqualTo(10);
        assertThat(Files.size(other)).isEqualTo(10);
        assertThat(cleanShutdownMark(broker.hdds.get(1))).exists();
    }

    @Test
    void blankSsdIsTakenInTheOldOnesPlace() throws Exception {
        life();
        RefusedStartTest.delete(broker.ssds.get(0));
        Files.createDirectory(broker.ssds.get(0));
        restartGivingUp();
        assertTruncatedTo(200);
        assertThat(broker.listener.events).contains("ssdReplaced ssd0");
        broker.restart();
        broker.open(FakeBroker.segment(partition, 200));
        broker.open(FakeBroker.segment(partition, 250));
        assertThat(FakeBroker.segment(partition, 250)).isSymbolicLink();
    }

    @Test
    void startGoesOnWithoutAnSsdThatIsNotThere() throws Exception {
        life();
        RefusedStartTest.delete(broker.ssds.get(0));
        restartGivingUp();
        assertTruncatedTo(200);
        broker.open(FakeBroker.segment(partition, 200));
        Path next = FakeBroker.segment(partition, 250);
        broker.open(next);
        assertThat(Files.isSymbolicLink(next)).isFalse();
        broker.sync();
        broker.evict();
        assertThat(broker.ssds.get(0)).doesNotExist();
        assertThatThrownBy(broker::restart).hasMessageContaining("ssd0 is missing");
        Files.createDirectory(broker.ssds.get(0));
        broker.restart();
    }

    @Test
    void nothingOnAStaleSsdIsTrusted() throws Exception {
        life();
        Path image = root.resolve("image");
        RefusedStartTest.copy(broker.ssds.get(0), image);
        broker.restart();
        RefusedStartTest.delete(broker.ssds.get(0));
        Files.move(image, broker.ssds.get(0));
        restartGivingUp();
        assertTruncatedTo(200);
        assertThat(broker.ssdFiles()).as("not even the copies").isEmpty();
        broker.restart();
        assertThat(broker.listener.events).hasSize(1);
    }

    @Test
    void staleSsdThatNoLinkLeadsToIsEmptied() throws Exception {
        FileChannel only = segment(0);
        segment(100);
        broker.sync();
        broker.delete(only, FakeBroker.segment(partition, 0));
        Path image = root.resolve("image");
        RefusedStartTest.copy(broker.ssds.get(0), image);
        Files.delete(FakeBroker.segment(partition, 100));
        broker.restart();
        RefusedStartTest.delete(broker.ssds.get(0));
        Files.move(image, broker.ssds.get(0));
        assertThat(broker.ssdFiles()).isNotEmpty();
        broker.restart();
        assertThat(broker.ssdFiles()).isEmpty();
    }

    @Test
    void deadSsdThatNothingWasOnlyOnNeedsNoTruncate() throws Exception {
        FileChannel active = segment(100);
        broker.delete(active, FakeBroker.segment(partition, 100));
        segment(0);
        FileChannel last = segment(200);
        broker.sync();
        broker.delete(last, FakeBroker.segment(partition, 200));
        RefusedStartTest.delete(broker.ssds.get(0));
        Files.createDirectory(broker.ssds.get(0));
        broker.listener.events.clear();
        broker.restart();
        assertThat(broker.listener.events).containsExactly("ssdReplaced ssd0");
        assertThat(FakeBroker.segment(partition, 0)).hasBinaryContent(written.get(0L));
    }

    @Test
    void ssdThatIsDroppedFromTheConfigurationIsGivenUp() throws Exception {
        life();
        RefusedStartTest.delete(broker.ssds.get(0));
        broker.configure(OnMissing.TRUNCATE, List.of(broker.ssds.get(1)));
        broker.restart();
        assertTruncatedTo(200);
        broker.configure(OnMissing.FAIL);
        broker.restart();
    }

    @Test
    void whatKafkaIsAboutToDeleteIsNotMissed() throws Exception {
        life();
        Path dying = partition.resolveSibling("topic-0.0123456789abcdef0123456789abcdef-delete");
        lose(300);
        Files.move(partition, dying);
        FileChannel channel = broker.open(FakeBroker.segment(broker.partition("other-0"), 0));
        FakeBroker.append(channel, new byte[10]);
        Path deleted = broker.partition("other-0").resolve("00000000000000000000.log.deleted");
        broker.rename(channel, FakeBroker.segment(broker.partition("other-0"), 0), deleted);
        Files.delete(Files.readSymbolicLink(deleted));
        broker.restart();
        assertThat(Files.isSymbolicLink(deleted)).isFalse();
        assertThat(Files.isSymbolicLink(dying.resolve("00000000000000000300.log")))
                .isFalse();
        assertThat(dying.resolve("00000000000000000200.log")).exists();
        assertThat(cleanShutdownMark(broker.hdds.get(0))).exists();
    }

    private @Nullable Path mustNotLead() throws IOException {
        return broker.tier().mustNotLead("topic-0", 3, 1);
    }

    @Test
    void incompleteReplicaMustNotLeadBeforeItHasFollowed() throws Exception {
        life();
        assertThat(mustNotLead()).isNull();
        lose(300);
        restartGivingUp();
        Path mark = partition.resolve(IncompleteReplicas.MARK);
        assertThat(mustNotLead()).isEqualTo(mark);
        assertThat(broker.tier().mustNotLead("topic-1", 3, 1)).isNull();
        broker.restart();
        assertThat(mustNotLead()).as("also after a restart").isEqualTo(mark);
        FakeBroker.append(broker.open(FakeBroker.segment(partition, 300)), new byte[1]);
        assertThat(mustNotLead()).as("a leader has sent records").isNull();
        assertThat(mark).doesNotExist();
        broker.restart();
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void markGoesAtTheNextStartWhenALeaderHasSentRecords() throws Exception {
        life();
        lose(300);
        restartGivingUp();
        FakeBroker.append(broker.open(FakeBroker.segment(partition, 300)), new byte[1]);
        broker.restart();
        assertThat(partition.resolve(IncompleteReplicas.MARK)).doesNotExist();
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void replicaThatGivesUpASecondTimeIsIncompleteAgain() throws Exception {
        life();
        lose(300);
        restartGivingUp();
        FakeBroker.append(broker.open(FakeBroker.segment(partition, 300)), new byte[1]);
        broker.open(FakeBroker.segment(partition, 400));
        lose(400);
        restartGivingUp();
        assertThat(mustNotLead()).isNotNull().hasContent("400");
    }

    @Test
    void incompleteReplicaMayLeadWhenALeaderHasTakenItBack() throws Exception {
        life();
        lose(300);
        restartGivingUp();
        assertThat(broker.tier().mustNotLead("topic-0", 3, 2)).isNull();
        assertThat(partition.resolve(IncompleteReplicas.MARK)).doesNotExist();
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void onlyReplicaMayLeadWithWhatIsLeft() throws Exception {
        life();
        lose(300);
        restartGivingUp();
        assertThat(broker.tier().mustNotLead("topic-0", 1, 1)).isNull();
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void replicaThatALeaderHasTruncatedFurtherMayLead() throws Exception {
        life();
        lose(300);
        restartGivingUp();
        Files.delete(FakeBroker.segment(partition, 300));
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void operatorMayLetItLeadByDeletingTheMark() throws Exception {
        life();
        lose(300);
        restartGivingUp();
        Files.delete(partition.resolve(IncompleteReplicas.MARK));
        broker.restart();
        assertThat(mustNotLead()).isNull();
    }

    /** Its records had been deleted beyond its new end, so Kafka's loader begins it anew; that is no leader's doing. */
    @Test
    void logThatKafkaBeginsAnewIsStillIncomplete() throws Exception {
        life();
        Files.writeString(broker.hdds.get(0).resolve("log-start-offset-checkpoint"), "0\n1\ntopic 0 320\n");
        lose(300);
        restartGivingUp();
        try (Stream<Path> files = Files.list(partition)) {
            for (Path file :
                    files.filter(file -> file.toString().endsWith(".log")).toList()) {
                Files.delete(file);
            }
        }
        FileChannel anew = broker.open(FakeBroker.segment(partition, 320));
        assertThat(mustNotLead()).isNotNull();
        FakeBroker.append(anew, new byte[1]);
        assertThat(mustNotLead()).isNull();
    }

    @Test
    void replicaThatHasLostNothingIsComplete() throws Exception {
        life();
        Files.writeString(broker.hdds.get(0).resolve("recovery-point-offset-checkpoint"), "0\n1\ntopic 0 300\n");
        lose(300);
        restartGivingUp();
        assertThat(broker.listener.events).containsExactly("givingUp topic-0 from 300 to 300, 1 segments");
        assertThat(mustNotLead()).isNull();
    }

    /** Whatever step of giving up is cut off, or fails: the next start either asks again, or finds it done. */
    @ParameterizedTest
    @EnumSource(FaultyFileOps.Fault.class)
    void interruptedRunIsRefusedOrDone(FaultyFileOps.Fault fault) throws Exception {
        for (int k = 1; k < ENOUGH; k++) {
            start(Files.createDirectories(root.resolve(fault + "-" + k)));
            life();
            lose(200);
            FaultyFileOps files = new FaultyFileOps(fault, k);
            broker.configure(OnMissing.TRUNCATE);
            try {
                broker.restart(files);
            } catch (FaultyFileOps.Killed | IOException e) {
                assertThat(files.hasFailed()).isTrue();
            }
            String what = fault + " at operation " + k + ": " + files.failed();
            boolean linked = Files.isSymbolicLink(FakeBroker.segment(partition, 200));
            assertThat(linked || !Files.exists(cleanShutdownMark(broker.hdds.get(0))))
                    .as(what + ": a shorter log is never taken for complete")
                    .isTrue();
            assertThat(linked || !names().toString().contains("00000000000000000300"))
                    .as(what + ": no hole")
                    .isTrue();
            assertThat(isRefused()).as(what).isEqualTo(linked);
            restartGivingUp();
            assertTruncatedTo(200);
            broker.restart();
            if (!files.hasFailed()) {
                assertThat(k).as("operations").isGreaterThan(20);
                return;
            }
        }
        throw new AssertionError("it never ended");
    }

    private boolean isRefused() {
        broker.configure(OnMissing.FAIL);
        try {
            broker.restart();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /**
     * The order of what is removed, as a power cut may keep any part of it: nothing of a later step before an earlier
     * one.
     */
    @Test
    void shutdownMarkGoesFirstAndTheMissingLinkLast() throws Exception {
        life();
        lose(200);
        List<String> steps = new ArrayList<>();
        broker.configure(OnMissing.TRUNCATE);
        broker.restart(new FileOps() {
            @Override
            public boolean deleteIfExists(Path file) throws IOException {
                steps.add("delete " + SegmentFileName.nameOf(file));
                return super.deleteIfExists(file);
            }

            @Override
            public void rename(Path from, Path to) throws IOException {
                steps.add("rename " + root.relativize(to));
                super.rename(from, to);
            }

            @Override
            public void syncDirectory(Path dir) throws IOException {
                steps.add("sync " + root.relativize(dir));
                super.syncDirectory(dir);
            }
        });
        List<String> essential = List.of(
                "delete .kafka_cleanshutdown",
                "sync hdd0",
                "delete 00000000000000000300.log",
                "sync hdd0/topic-0",
                "rename hdd0/topic-0/00000000000000000200.log",
                "sync hdd0/topic-0",
                "rename ssd0/" + IdentityFile.FILE_NAME,
                "sync ssd0",
                "rename hdd0/" + IdentityFile.FILE_NAME);
        assertThat(steps).containsSubsequence(essential);
        assertThat(steps.indexOf("delete 00000000000000000350.snapshot"))
                .isLessThan(steps.indexOf("delete 00000000000000000300.log"));
        assertThat(Collections.frequency(steps, "delete 00000000000000000100.index"))
                .isZero();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static io.evenkeel.tiered.inspect.DiskProblem.Kind.DANGLING_LINK;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.FOREIGN_LINK;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.ORPHAN;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.STALE_COPY;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNFINISHED;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNKNOWN_FILE;
import static io.evenkeel.tiered.inspect.DiskProblem.Kind.UNUSABLE_SSD;
import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.evenkeel.tiered.BrokerOnDisks;
import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.IdentityFile;
import io.evenkeel.tiered.identity.SsdIdentity;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a survey says of disks in all kinds of states. */
class DiskSurveyTest {
    @TempDir
    Path root;

    private BrokerOnDisks broker;

    @BeforeEach
    void start() throws IOException {
        broker = new BrokerOnDisks(root, 2, 1, 3 << 20);
    }

    private DiskSurvey survey() throws IOException {
        return DiskSurvey.take(broker.logDirs(), broker.ssds());
    }

    @Test
    void everySegmentIsInTheStateThatTheBrokerHasItIn() throws Exception {
        for (int i = 0; i < 5; i++) {
            broker.roll("topic-0", i * 100L, (i < 2 ? 1_000_000 : 900_000) + i);
            broker.copy();
            if (i < 4) {
                broker.evict();
            }
        }
        broker.roll(1, "other-7", 40, 10); // finds no room
        DiskSurvey survey = survey();
        assertThat(survey.segments())
                .extracting(
                        SurveyedSegment::partition,
                        SurveyedSegment::baseOffset,
                        SurveyedSegment::state,
                        SurveyedSegment::sizeBytes,
                        SurveyedSegment::isNewest)
                .containsExactly(
                        tuple("topic-0", 0L, SegmentState.WITHOUT_CACHE, 1_000_000L, false),
                        tuple("topic-0", 100L, SegmentState.WITHOUT_CACHE, 1_000_001L, false),
                        tuple("topic-0", 200L, SegmentState.CACHED, 900_002L, false),
                        tuple("topic-0", 300L, SegmentState.CACHED, 900_003L, false),
                        tuple("topic-0", 400L, SegmentState.ONLY_CACHE, 900_004L, true),
                        tuple("other-7", 40L, SegmentState.WITHOUT_CACHE, 10L, true));
        assertThat(survey.problems()).isEmpty();
        assertThat(survey.usedBytes()).containsEntry(broker.ssds().get(0), 900_002L + 900_003 + 900_004);
        SurveyedSegment cached = survey.segments().get(3);
        assertThat(cached.ssdDir()).isEqualTo(broker.ssds().get(0));
        assertThat(cached.ssdFile()).exists().isNotEqualTo(cached.path());
        assertThat(survey.links()).extracting(SurveyedSegment::baseOffset).containsExactly(400L);
    }

    @Test
    void oldestDataLeavesFirstAndTheNewestSegmentStays() throws Exception {
        broker.roll("a-0", 0, 300_000);
        broker.roll("b-0", 0, 300_000);
        broker.roll("a-0", 10, 300_000);
        broker.roll("b-0", 10, 300_000);
        broker.copy();
        Path ssd = broker.ssds().get(0);
        assertThat(survey().nextEvictions(ssd, 1_200_000, 0, Long.MAX_VALUE >> 1))
                .extracting(SurveyedSegment::partition, SurveyedSegment::baseOffset)
                .containsExactly(tuple("a-0", 0L), tuple("b-0", 0L));
        assertThat(survey().nextEvictions(ssd, 1_200_000, 900_000, Long.MAX_VALUE >> 1))
                .hasSize(1);
        assertThat(survey().nextEvictions(ssd, 1_200_000, 1_200_000, Long.MAX_VALUE >> 1))
                .isEmpty();
    }

    @Test
    void segmentThatWaitsToBeDeletedIsNotLiveAndItsCopyIsNoOrphan() throws Exception {
        Path cached = broker.roll("topic-0", 0, 1000);
        broker.roll("topic-0", 100, 1000);
        broker.copy();
        broker.markDeleted(cached);
        assertThat(survey().problems()).isEmpty();
        assertThat(survey().segments())
                .extracting(SurveyedSegment::baseOffset, SurveyedSegment::isLive, SurveyedSegment::state)
                .containsExactly(tuple(0L, false, SegmentState.CACHED), tuple(100L, true, SegmentState.ONLY_CACHE));
    }

    @Test
    void partitionThatIsBeingDeletedIsNotLiveAndItsCopiesAreNoOrphans() throws Exception {
        broker.roll("topic-0", 0, 1000);
        broker.roll("topic-0", 100, 1000);
        broker.copy();
        Path dir = broker.hdds().get(0).resolve("topic-0");
        Files.move(dir, dir.resolveSibling("topic-0.0123456789abcdef0123456789abcdef-delete"));
        assertThat(survey().problems()).isEmpty();
        assertThat(survey().segments()).hasSize(2).noneMatch(SurveyedSegment::isLive);
    }

    @Test
    void segmentWhoseLinkIsReplacedDuringTheSurveyIsFound() throws Exception {
        Path segment = broker.roll("topic-0", 0, 1000);
        Path target = Files.readSymbolicLink(segment);
        Path temporary = segment.resolveSibling("temporary");
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Void> replacing = CompletableFuture.runAsync(() -> {
            try {
                while (!enough.get()) {
                    Files.move(Files.copy(target, temporary), segment, ATOMIC_MOVE);
                    Files.move(Files.createSymbolicLink(temporary, target), segment, ATOMIC_MOVE);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            for (int survey = 0; survey < 2000; survey++) {
                assertThat(survey().segments())
                        .extracting(SurveyedSegment::path)
                        .containsExactly(segment);
            }
        } finally {
            enough.set(true);
            replacing.join();
        }
    }

    @Test
    void metadataLogIsIgnored() throws Exception {
        Path metadata = Files.createDirectories(broker.hdds().get(0).resolve("__cluster_metadata-0"));
        Files.createFile(FakeBroker.segment(metadata, 0));
        assertThat(survey().segments()).isEmpty();
    }

    @Test
    void eachKindOfProblemIsFound() throws Exception {
        Path dangling = broker.roll("topic-0", 0, 1000);
        Files.delete(Files.readSymbolicLink(dangling));
        Path stale = broker.roll("topic-0", 100, 1000);
        Path newest = broker.roll("topic-0", 200, 1000);
        broker.copy();
        Files.write(stale, new byte[1000]);
        Path onSsd = broker.ssds().get(0).resolve("id-0/topic-0");
        Path orphan = Files.write(onSsd.resolve("00000000000000000300.log"), new byte[5]);
        Path unknown = Files.createFile(onSsd.resolve("holiday.jpg"));
        Path ofAnother = Files.createDirectories(broker.ssds().get(0).resolve("id-7/topic-0"));
        Files.createFile(ofAnother.resolve("00000000000000000300.log"));
        Path copy = Files.createFile(SegmentFileName.withSuffix(newest, SegmentFileName.COPY_SUFFIX));
        Path foreign = Files.createSymbolicLink(
                newest.resolveSibling("00000000000000000400.log"), Files.createFile(root.resolve("elsewhere")));

        assertThat(survey().problems())
                .extracting(DiskProblem::kind, DiskProblem::path)
                .containsExactly(
                        tuple(DANGLING_LINK, dangling),
                        tuple(FOREIGN_LINK, foreign),
                        tuple(ORPHAN, orphan),
                        tuple(STALE_COPY, onSsd.resolve(stale.getFileName())),
                        tuple(UNFINISHED, copy),
                        tuple(UNKNOWN_FILE, unknown),
                        tuple(UNKNOWN_FILE, ofAnother.resolveSibling("")));
        assertThat(survey().confirming(new DiskSurvey(List.of(), List.of(), Map.of(), Map.of()))
                        .problems())
                .as("nothing was seen before")
                .isEmpty();
    }

    @Test
    void ssdThatHasMissedAStartIsWrongAndItsCopiesAreStale() throws Exception {
        broker.roll("topic-0", 0, 1000);
        broker.roll("topic-0", 100, 1000);
        broker.copy();
        Path identity = broker.ssds().get(0).resolve(IdentityFile.FILE_NAME);
        byte[] before = Files.readAllBytes(identity);
        broker.restart();
        assertThat(survey().problems()).isEmpty();
        Files.write(identity, before);
        assertThat(survey().problems())
                .extracting(DiskProblem::kind)
                .containsExactly(DiskProblem.Kind.WRONG_SSD, STALE_COPY);
        assertThatThrownBy(() -> new OfflineDrain(new FileOps(), broker.logDirs(), broker.ssds()))
                .hasMessageContaining("files are an old version");
    }

    @Test
    void twoLinksToOneFileAreAProblem() throws Exception {
        Path segment = broker.roll("topic-0", 0, 1000);
        Path other = Files.createSymbolicLink(
                segment.resolveSibling("00000000000000000001.log"), Files.readSymbolicLink(segment));
        // either of the two, in the order in which the directory has them
        assertThat(survey().problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.kind()).isEqualTo(DiskProblem.Kind.SHARED_FILE))
                .satisfies(problem -> assertThat(problem.path()).isIn(segment, other));
    }

    @Test
    void ssdOfAnotherBrokerIsAProblem() throws Exception {
        Files.writeString(broker.ssds().get(0).resolve(SsdIdentity.FILE_NAME), "cluster.id=other\nnode.id=1\n");
        assertThat(survey().problems())
                .extracting(DiskProblem::kind, DiskProblem::path)
                .containsExactly(tuple(UNUSABLE_SSD, broker.ssds().get(0)));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.core.Worker;
import io.evenkeel.tiered.api.CopyLag;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierSnapshot;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies that fail: the pauses, the quarantine, and failures that are none. */
class FailingCopiesTest {
    private static final long MIB = 1 << 20;

    @TempDir
    Path root;

    private FakeBroker broker;
    private Path partition;
    private Path first;
    private Path second;
    /** Copies of segments with these names fail. */
    private final Set<String> failing = new HashSet<>();

    private final class Disks extends FileOps {
        @Override
        public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
            if (failing.stream().anyMatch(name -> file.toString().endsWith(name + SegmentFileName.COPY_SUFFIX))) {
                throw new IOException("bad spot: " + file);
            }
            return super.open(file, options);
        }
    }

    @BeforeEach
    void start() throws Exception {
        broker = new FakeBroker(root, 1, 1, 100 * MIB);
        broker.restart(new Disks());
        partition = broker.partition("topic-0");
        first = FakeBroker.segment(partition, 0);
        second = FakeBroker.segment(partition, 100);
    }

    private List<Path> copies() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(SegmentFileName.COPY_SUFFIX))
                    .toList();
        }
    }

    @Test
    void brokenHddQuarantinesNothingAndAllIsCopiedWhenItWorksAgain() throws Exception {
        boolean[] broken = {true};
        broker.restart(new FileOps() {
            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                if (broken[0] && file.toString().endsWith(".log.tiering")) {
                    throw new IOException("no space left: " + file);
                }
                return super.open(file, options);
            }
        });
        FakeBroker.append(broker.open(first), new byte[1000]);
        FakeBroker.append(broker.open(second), new byte[1000]);
        broker.open(FakeBroker.segment(partition, 200));
        for (int i = 0; i < 100; i++) {
            broker.step();
        }
        assertThat(broker.listener.events).contains("copyFailed " + first.getFileName());
        assertThat(broker.listener.events).noneMatch(event -> event.startsWith("quarantine"));
        broken[0] = false;
        broker.copy();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.CACHED);
        assertThat(broker.stateOf(second)).isEqualTo(SegmentState.CACHED);
    }

    @Test
    void segmentThatFailsAgainAndAgainWhileOthersSucceedIsQuarantined() throws Exception {
        broker.restart(new FileOps() {
            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                if (file.toString().endsWith(first.getFileName() + ".tiering")) {
                    throw new IOException("bad spot: " + file);
                }
                return super.open(file, options);
            }
        });
        for (int i = 0; i < 12; i++) {
            FakeBroker.append(broker.open(FakeBroker.segment(partition, i * 100L)), new byte[1000]);
            for (int step = 0; step < 30; step++) {
                broker.step();
            }
        }
        assertThat(broker.listener.events).contains("quarantine " + first.getFileName());
        assertThat(broker.listener.events.stream().filter(event -> event.startsWith("copied")))
                .hasSizeGreaterThan(5);
        assertThat(first).isSymbolicLink();
    }

    @Test
    void pausesGrowWithFailuresInARowAndEndWithTheFirstSuccess() throws Exception {
        for (int i = 0; i < 2; i++) {
            FakeBroker.append(broker.open(FakeBroker.segment(partition, i)), new byte[(int) MIB]);
        }
        String name = FakeBroker.segment(partition, 0).getFileName().toString();
        failing.add(name);
        Worker.Step copier = broker.workers("copier").get(0);
        long longestNanos = Backoff.FIRST_NANOS;
        for (int failure = 0; failure < 20; failure++) {
            long pauseNanos = copier.run(broker.nowNanos());
            assertThat(pauseNanos).isBetween(longestNanos / 2, longestNanos);
            broker.pass(pauseNanos);
            longestNanos = Math.min(Backoff.LONGEST_NANOS, 2 * longestNanos);
        }
        assertThat(broker.tier().snapshot().copyFailures()).isEqualTo(20);
        failing.clear();
        broker.copy();
        FakeBroker.append(broker.open(FakeBroker.segment(partition, 2)), new byte[10]);
        failing.add(FakeBroker.segment(partition, 1).getFileName().toString());
        assertThat(copier.run(broker.nowNanos())).isBetween(Backoff.FIRST_NANOS / 2, Backoff.FIRST_NANOS);
    }

    /** It has another name on the disk a moment before each segment is told. */
    @Test
    void directoryThatKafkaIsRenamingIsNoFailureUnlessItStaysAway() throws Exception {
        Path segment = FakeBroker.segment(partition, 0);
        FileChannel channel = broker.open(segment);
        FakeBroker.append(channel, new byte[1000]);
        FakeBroker.append(broker.open(FakeBroker.segment(partition, 1)), new byte[1000]);
        Worker.Step copier = broker.workers("copier").get(0);
        Path dying = partition.resolveSibling("topic-0.0123456789abcdef0123456789abcdef-delete");
        Files.move(partition, dying);

        broker.pass(copier.run(broker.nowNanos()));
        assertThat(broker.tier().snapshot().copyFailures()).isZero();
        assertThat(broker.listener.events).doesNotContain("copyFailed " + segment.getFileName());

        broker.pass(copier.run(broker.nowNanos()));
        assertThat(broker.tier().snapshot().copyFailures()).isEqualTo(1);
        assertThat(broker.listener.events).contains("copyFailed " + segment.getFileName());

        broker.tier().renamed(channel, FakeBroker.segment(dying, 0));
        assertThat(copier.run(broker.nowNanos())).isEqualTo(FakeBroker.IDLE_NANOS);
        assertThat(broker.tier().snapshot().copyFailures()).isEqualTo(1);
        assertThat(copies()).isEmpty();
    }

    @Test
    void segmentThatFailsAgainAndAgainIsQuarantinedReportedAndCounted() throws Exception {
        Path bad = FakeBroker.segment(partition, 0);
        failing.add(bad.getFileName().toString());
        for (int i = 0; i < 12; i++) {
            FakeBroker.append(broker.open(FakeBroker.segment(partition, i)), new byte[1000]);
            for (int step = 0; step < 30; step++) {
                broker.step();
            }
        }
        assertThat(broker.listener.events).containsOnlyOnce("quarantine " + bad.getFileName());
        assertThat(broker.listener.events.stream().filter(event -> event.startsWith("copyFailed")))
                .hasSizeGreaterThanOrEqualTo(SegmentCopier.MAX_FAILURES - 1);
        TierSnapshot snapshot = broker.tier().snapshot();
        assertThat(snapshot.quarantinedSegments()).isEqualTo(1);
        assertThat(snapshot.copiedSegments()).isEqualTo(10);
        assertThat(snapshot.copyLag()).as("a quarantined segment does not wait").isEqualTo(new CopyLag(0, 0, 0));
    }
}

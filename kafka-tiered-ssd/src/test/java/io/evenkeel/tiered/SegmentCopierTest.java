/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.core.RateLimiter;
import io.evenkeel.core.Worker;
import io.evenkeel.tiered.api.CopyLag;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.ReadWaits;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.disk.CopyBudget;
import io.evenkeel.tiered.disk.Hdd;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When the copies are made, how fast, and what happens when they fail. */
class SegmentCopierTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long MIB = 1 << 20;

    @TempDir
    Path root;

    private FakeBroker broker;
    /** Copies of segments with these names fail. */
    private final Set<String> failing = new HashSet<>();

    private boolean ownDevices;
    /** How long each read from an HDD takes. */
    private long hddReadNanos;

    private final class Disks extends FileOps {
        @Override
        public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
            if (failing.stream().anyMatch(name -> file.toString().endsWith(name + SegmentFileName.COPY_SUFFIX))) {
                throw new IOException("bad spot: " + file);
            }
            FileChannel channel = FileChannel.open(file, options);
            return file.startsWith(root.resolve("hdd0")) && file.toString().endsWith(".log")
                    ? new FaultyChannel(channel, operation -> broker.pass(hddReadNanos))
                    : channel;
        }

        @Override
        public Object device(Path dir) {
            return ownDevices ? dir : super.device(dir);
        }
    }

    @BeforeEach
    void start() throws Exception {
        broker = new FakeBroker(root, 3, 1, 100 * MIB);
        broker.restart(new Disks());
    }

    /** Each of so many segments of 1 MiB but the last is sealed. */
    private void fill(Path partition, int segments) throws IOException {
        for (int i = 0; i < segments; i++) {
            FakeBroker.append(broker.open(FakeBroker.segment(partition, i)), new byte[(int) MIB]);
        }
    }

    private void change(TierMode mode, long ceiling, long floor) throws IOException {
        broker.tier().reconfigure(FakeBroker.dynamicSettings(mode, ceiling, floor));
    }

    private List<Path> copies() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.toString().endsWith(SegmentFileName.COPY_SUFFIX))
                    .toList();
        }
    }

    @Test
    void logDirsOnOneHddShareACopierThatCopiesOneSegmentAtATime() throws Exception {
        assertThat(broker.workers("copier")).hasSize(1);
        Worker.Step copier = broker.workers("copier").get(0);
        for (int hdd = 0; hdd < 3; hdd++) {
            fill(broker.partition(hdd, "topic-" + hdd), 3);
        }
        while (copier.run(broker.nowNanos()) != FakeBroker.IDLE_NANOS) {
            assertThat(copies()).hasSizeLessThanOrEqualTo(1);
        }
        assertThat(broker.tier().snapshot().copiedSegments()).isEqualTo(6);
    }

    @Test
    void hddsThatCannotBeProvedToBeOneHaveACopierEach() throws Exception {
        ownDevices = true;
        broker.restart(new Disks());
        assertThat(broker.workers("copier")).hasSize(3);
    }

    @Test
    void directoryThatTheSystemKnowsNothingAboutIsOnItsOwn() {
        Path nowhere = root.resolve("nowhere");
        FileOps files = new FileOps();
        assertThat(files.device(nowhere)).isEqualTo(nowhere);
        assertThat(files.device(root.resolve("hdd0"))).isEqualTo(files.device(root.resolve("ssd0")));
    }

    /** Though it is written and read back. */
    @Test
    void ceilingHoldsForEachHddAndEachByteCountsOnce() throws Exception {
        ownDevices = true;
        broker.restart(new Disks());
        change(TierMode.ON, 2 * MIB, 2 * MIB);
        for (int hdd = 0; hdd < 3; hdd++) {
            fill(broker.partition(hdd, "topic-" + hdd), 11);
        }
        List<Worker.Step> copiers = broker.workers("copier");
        long[] dueNanos = new long[copiers.size()];
        while (broker.tier().snapshot().copyLag().segments() > 0) {
            for (int i = 0; i < dueNanos.length; i++) {
                if (broker.nowNanos() >= dueNanos[i]) {
                    dueNanos[i] = broker.nowNanos() + copiers.get(i).run(broker.nowNanos());
                }
            }
            broker.pass(SECOND / 1000);
        }
        assertThat(broker.nowNanos() / SECOND)
                .as("seconds for 10 MiB at 2 MiB/s")
                .isBetween(4L, 6L);
        assertThat(broker.tier().snapshot().copyBytesPerSecond()).isEqualTo(3 * 2 * MIB);
    }

    @Test
    void ceilingFollowsWhatComesInUnlessItIsGiven() {
        DynamicTierSettings settings = FakeBroker.dynamicSettings(TierMode.ON, DynamicTierSettings.FOLLOW_INFLOW, MIB);
        Hdd hdd = new Hdd(() -> 0, settings.copyCeiling(0));
        CopyBudget budget = new CopyBudget(hdd, broker.ceilings.of("hdd"), 0);
        assertThat(hdd.copyBytesPerSecond()).isEqualTo(50 * MIB);
        for (int second = 0; second < 600; second++) {
            budget.waitNanos(settings, second * SECOND);
            hdd.appended(200 * MIB);
        }
        assertThat(hdd.copyBytesPerSecond()).isBetween(399 * MIB, 400 * MIB);
    }

    /** What is read back does not count there. */
    @Test
    void writesToAnHddShareItsCeilingWithAllElseThatIsWrittenThere() throws Exception {
        ownDevices = true;
        broker.restart(new Disks());
        fill(broker.partition(0, "topic-0"), 11);
        RateLimiter disk = broker.ceilings.of(root.resolve("hdd0"));
        broker.ceilings.rate(MIB, broker.nowNanos());
        disk.reserve(20 * MIB, broker.nowNanos());
        broker.copy();
        assertThat(broker.tier().snapshot().copiedSegments()).isEqualTo(10);
        assertThat(broker.nowNanos() / SECOND)
                .as("seconds for 20 and 10 MiB at 1 MiB/s")
                .isBetween(28L, 31L);
    }

    @Test
    void rateThatWasFarTooLowIsForgottenWithinASecond() throws Exception {
        Worker.Step copier = broker.workers("copier").get(0);
        change(TierMode.ON, 1, 1);
        fill(broker.partition("topic-0"), 2);
        long waitNanos = 0;
        while (waitNanos == 0) {
            waitNanos = copier.run(broker.nowNanos());
        }
        assertThat(waitNanos).isEqualTo(SegmentCopier.LONGEST_WAIT_NANOS);
        for (int second = 0; second < 10; second++) {
            broker.pass(SECOND);
            assertThat(copier.run(broker.nowNanos())).isEqualTo(SegmentCopier.LONGEST_WAIT_NANOS);
        }
        change(TierMode.ON, 100 * MIB, MIB);
        broker.pass(SECOND);
        broker.copy();
        assertThat(broker.tier().snapshot().copiedSegments()).isEqualTo(1);
    }

    @Test
    void pausedLeavesNoHalfCopyBehindAndCopiesLater() throws Exception {
        fill(broker.partition("topic-0"), 3);
        broker.step();
        broker.step();
        assertThat(copies()).hasSize(1);
        change(TierMode.PAUSED, MIB, MIB);
        broker.step();
        assertThat(copies()).isEmpty();
        assertThat(broker.tier().snapshot().copyBytesPerSecond()).isZero();
        for (int i = 0; i < 100; i++) {
            broker.step();
        }
        assertThat(broker.tier().snapshot().copiedSegments()).isZero();
        assertThat(broker.tier().snapshot().copyLag().segments()).isEqualTo(2);
        change(TierMode.ON, 100 * MIB, MIB);
        broker.copy();
        assertThat(broker.tier().snapshot().copiedSegments()).isEqualTo(2);
    }

    /** Retention asks a segment without record timestamps for this time. */
    @Test
    void timeThatIsSetWhileItsSegmentIsCopiedStays() throws Exception {
        Path partition = broker.partition("topic-0");
        fill(partition, 2);
        broker.step();
        broker.step();
        assertThat(copies()).hasSize(1);
        FileTime set = FileTime.from(1_000_000, TimeUnit.SECONDS);
        Path segment = FakeBroker.segment(partition, 0);
        Files.setLastModifiedTime(segment, set);
        broker.copy();
        assertThat(segment).isRegularFile().hasSize(MIB);
        assertThat(Files.isSymbolicLink(segment)).isFalse();
        assertThat(Files.getLastModifiedTime(segment)).isEqualTo(set);
        assertThat(broker.tier().snapshot().copyFailures()).isZero();
    }

    @Test
    void lagIsZeroUnlessASealedSegmentWaits() throws Exception {
        Path partition = broker.partition("topic-0");
        broker.pass(-5 * SECOND);
        fill(partition, 1);
        broker.pass(SECOND);
        assertThat(broker.tier().snapshot().copyLag()).isEqualTo(new CopyLag(0, 0, 0));
        broker.open(FakeBroker.segment(partition, 1));
        broker.pass(SECOND);
        FileChannel third = broker.open(FakeBroker.segment(partition, 2));
        broker.pass(SECOND);
        assertThat(broker.tier().snapshot().copyLag()).isEqualTo(new CopyLag(2, MIB, 2000));
        broker.copy();
        assertThat(broker.tier().snapshot().copyLag()).isEqualTo(new CopyLag(0, 0, 0));

        FakeBroker.append(third, new byte[100]);
        broker.open(FakeBroker.segment(partition, 3));
        assertThat(broker.tier().snapshot().copyLag()).isEqualTo(new CopyLag(1, 100, 0));
        Path path = FakeBroker.segment(partition, 2);
        broker.rename(third, path, path.resolveSibling(path.getFileName() + ".deleted"));
        assertThat(broker.tier().snapshot().copyLag()).isEqualTo(new CopyLag(0, 0, 0));
    }

    @Test
    void copiesGiveWayToReadersOfTheHddAndComeBack() throws Exception {
        change(TierMode.PAUSED, 100 * MIB, 10 * MIB);
        FileChannel onHdd = broker.open(FakeBroker.segment(broker.partition("topic-0"), 0));
        FakeBroker.append(onHdd, new byte[1000]);
        change(TierMode.ON, 100 * MIB, 10 * MIB);
        FileChannel onSsd = broker.open(FakeBroker.segment(broker.partition("topic-1"), 0));
        FakeBroker.append(onSsd, new byte[1000]);
        hddReadNanos = TimeUnit.MILLISECONDS.toNanos(50);

        readFor(onSsd, 5 * SECOND);
        assertThat(broker.tier().snapshot().hddWaits()).isEqualTo(ReadWaits.NONE);
        assertThat(broker.tier().snapshot().copyBytesPerSecond()).isEqualTo(100 * MIB);
        readFor(onHdd, 5 * SECOND);
        assertThat(broker.tier().snapshot().copyBytesPerSecond()).isBetween(10 * MIB, 11 * MIB);
        assertThat(broker.tier().snapshot().hddWaits().meanNanos()).isEqualTo(hddReadNanos);
        readFor(onSsd, 5 * SECOND);
        assertThat(broker.tier().snapshot().copyBytesPerSecond()).isEqualTo(100 * MIB);
    }

    private void readFor(FileChannel channel, long nanos) throws Exception {
        long endNanos = broker.nowNanos() + nanos;
        while (broker.nowNanos() < endNanos) {
            assertThat(FakeBroker.read(channel)).hasSize(1000);
            broker.pass(SECOND / 1000);
            for (Worker.Step copier : broker.workers("copier")) {
                copier.run(broker.nowNanos());
            }
        }
    }
}

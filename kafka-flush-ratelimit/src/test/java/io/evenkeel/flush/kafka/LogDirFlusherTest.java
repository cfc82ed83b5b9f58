/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.flush.kafka.TestLog.BATCH_BYTES;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.core.DeviceId;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.disk.FlushBacklog;
import io.evenkeel.flush.disk.FlushCounter;
import io.evenkeel.flush.disk.FlushCounts;
import io.evenkeel.flush.disk.KernelWriteback;
import io.evenkeel.flush.disk.LogDirFlusher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

@Timeout(60)
class LogDirFlusherTest {
    private static final FlushSettings SOON =
            new FlushSettings(1 << 20, 50, 1 << 20, FlushSettings.UNLIMITED, 0, true, false);

    @TempDir
    Path dir = Path.of("target");

    @TempDir(factory = OtherDisk.class)
    Path otherDisk = Path.of("target");

    private static final class OtherDisk implements TempDirFactory {
        @Override
        public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            return Files.createTempDirectory(Path.of("/dev/shm"), "evenkeel");
        }
    }

    private final DeviceCeilings ceilings = new DeviceCeilings();
    private final FlushCounts counts = new FlushCounts();
    private final LogDirFlusher flusher =
            new LogDirFlusher("target", () -> SOON, counts, ceilings, KernelWriteback.ofLinux());

    @Test
    void flushesDueLogsAndKnowsItsOwnFlush() throws Exception {
        TestLog kafka = TestLog.in(dir, "one");
        KafkaPacedLog log = paced(kafka);
        AtomicBoolean isFlushing = new AtomicBoolean();
        kafka.inFlush = () -> isFlushing.set(KafkaPacedLog.flushing() == log);
        flusher.start();
        kafka.append(log);
        await(() -> counted(FlushCounter.FLUSHED_BYTES) == BATCH_BYTES);
        assertThat(kafka.local.recoveryPoint()).isEqualTo(1);
        assertThat(counted(FlushCounter.FLUSHES)).isEqualTo(1);
        assertThat(backlog().bytes()).isZero();
        assertThat(isFlushing).isTrue();
        assertThat(KafkaPacedLog.flushing()).as("this thread").isNull();
        kafka.append(log);
        await(() -> counted(FlushCounter.FLUSHED_BYTES) == 2 * BATCH_BYTES);
    }

    @Test
    void aFlushThatFailedEndsTheFlushesOfThatLogDir() throws Exception {
        TestLog bad = TestLog.in(dir, "bad");
        TestLog good = TestLog.in(dir, "good");
        KafkaPacedLog badLog = paced(bad);
        KafkaPacedLog goodLog = paced(good);
        bad.broken = true;
        flusher.start();
        bad.append(badLog);
        await(() -> backlog().failedLogDirs() == 1);
        good.append(goodLog);
        await(goodLog::hasEnded);
        assertThat(backlog().bytes()).isZero();
        assertThat(bad.flushes).hasValue(1);
        assertThat(good.flushes).hasValue(0);
    }

    @Test
    void aFailureThatIsNotTheDisksEndsTheFlushesOfThatLogOnly() throws Exception {
        TestLog odd = TestLog.in(dir, "odd");
        TestLog good = TestLog.in(dir, "good");
        KafkaPacedLog oddLog = paced(odd);
        KafkaPacedLog goodLog = paced(good);
        odd.odd = true;
        flusher.start();
        odd.append(oddLog);
        await(oddLog::hasEnded);
        good.append(goodLog);
        await(() -> good.local.recoveryPoint() == 1);
        assertThat(backlog().failedLogDirs()).isZero();
        assertThat(odd.local.logDirFailureChannel().hasOfflineLogDir(odd.local.parentDir()))
                .isFalse();
    }

    /** Nothing says that the disk is bad, and the next flush may find memory again. */
    @Test
    void anErrorLeavesTheLogDirOnlineAndTheFlushIsTriedAgain() throws Exception {
        TestLog kafka = TestLog.in(dir, "one");
        KafkaPacedLog log = paced(kafka);
        kafka.inFlush = () -> {
            kafka.inFlush = () -> {};
            throw new OutOfMemoryError("of the test");
        };
        flusher.start();
        kafka.append(log);
        await(() -> counted(FlushCounter.FLUSHED_BYTES) == BATCH_BYTES);
        assertThat(kafka.flushes).hasValue(2);
        assertThat(backlog().failedLogDirs()).isZero();
        assertThat(kafka.local.logDirFailureChannel().hasOfflineLogDir(kafka.local.parentDir()))
                .isFalse();
    }

    /** After a slow flush the budget keeps small logs waiting. That is told when it happens, not at their flush. */
    @Test
    void aLogThatIsTooOldIsReportedBeforeItIsFlushed() throws Exception {
        TestLog slow = TestLog.in(dir, "slow");
        TestLog quiet = TestLog.in(dir, "quiet");
        KafkaPacedLog slowLog = paced(slow);
        KafkaPacedLog quietLog = paced(quiet);
        slow.disk.drainPermits();
        flusher.start();
        slow.append(slowLog);
        await(() -> slow.flushes.get() == 1);
        long beganNanos = System.nanoTime();
        await(() -> System.nanoTime() - beganNanos > TimeUnit.SECONDS.toNanos(1));
        slow.disk.release();
        await(() -> slow.local.recoveryPoint() == 1);
        long before = counted(FlushCounter.BOUNDS_EXCEEDED);
        quiet.append(quietLog);
        await(() -> counted(FlushCounter.BOUNDS_EXCEEDED) == before + 1);
        assertThat(quiet.flushes).as("the budget is used up for three seconds").hasValue(0);
    }

    @Test
    void aDiskThatHangsDoesNotHoldUpTheOtherDiskOfItsLogDir() throws Exception {
        TestLog here = TestLog.in(dir, "here");
        TestLog there = TestLog.linked(dir, "there", otherDisk);
        KafkaPacedLog hereLog = paced(here);
        KafkaPacedLog thereLog = paced(there);
        here.disk.drainPermits();
        flusher.start();
        here.append(hereLog);
        await(() -> here.flushes.get() == 1);
        there.append(thereLog);
        await(() -> there.local.recoveryPoint() == 1);
        assertThat(here.local.recoveryPoint()).isZero();
        here.disk.release();
        await(() -> here.local.recoveryPoint() == 1);
    }

    @Test
    void whatOthersWriteToADiskCountsAgainstItsCeiling() throws Exception {
        TestLog here = TestLog.in(dir, "here");
        TestLog there = TestLog.linked(dir, "there", otherDisk);
        KafkaPacedLog hereLog = paced(here);
        KafkaPacedLog thereLog = paced(there);
        ceilings.rate(1_000_000_000, System.nanoTime());
        ceilings.of(DeviceId.of(dir, "unknown")).reserve(1L << 50, System.nanoTime());
        flusher.start();
        here.append(hereLog);
        for (int i = 1; i <= 3; i++) {
            there.append(thereLog);
            int flushed = i;
            await(() -> there.local.recoveryPoint() == flushed);
        }
        assertThat(here.flushes).as("due three times over").hasValue(0);
        ceilings.rate(DeviceCeilings.UNLIMITED, System.nanoTime());
        await(() -> here.local.recoveryPoint() == 1);
    }

    @Test
    void flushesCountAgainstTheCeilingOfTheirDisk() throws Exception {
        TestLog kafka = TestLog.in(dir, "one");
        KafkaPacedLog log = paced(kafka);
        ceilings.rate(1000, System.nanoTime());
        flusher.start();
        kafka.append(log);
        await(() -> kafka.local.recoveryPoint() == 1);
        assertThat(ceilings.of(DeviceId.of(dir, "unknown")).waitNanos(System.nanoTime()))
                .isBetween(TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(BATCH_BYTES / 1000 + 1));
    }

    private KafkaPacedLog paced(TestLog kafka) {
        KafkaPacedLog log = new KafkaPacedLog(kafka, kafka.local, flusher, () -> SOON, 0);
        log.begin(System.nanoTime());
        return log;
    }

    private FlushBacklog backlog() {
        return flusher.backlog(System.nanoTime());
    }

    private long counted(FlushCounter counter) {
        return requireNonNull(counts.read().get(counter));
    }

    /** Until the test's own timeout. */
    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}

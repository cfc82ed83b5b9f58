/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.flush.kafka.TestLog.BATCH_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.core.DeviceId;
import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.FlushSettings;
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
            new FlushSettings(1 << 20, 50, new FlushRates(1 << 20, FlushRates.UNLIMITED));

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
    private final LogDirFlusher flusher =
            new LogDirFlusher("target", SOON, SOON::rates, new Handlers(8, () -> 1), ceilings, true);

    @Test
    void forcesWhatIsDueAndKnowsThatItDoes() throws Exception {
        TestLog kafka = TestLog.in(dir, "one");
        PacedLog log = paced(kafka);
        AtomicBoolean isForcing = new AtomicBoolean();
        kafka.inForce = () -> isForcing.set(flusher.isForcing());
        flusher.start();
        kafka.append(log);
        await(() -> snapshot().forcedBytes() == BATCH_BYTES);
        assertThat(kafka.local.recoveryPoint()).isEqualTo(1);
        assertThat(snapshot().forces()).isEqualTo(1);
        assertThat(snapshot().pendingBytes()).isZero();
        assertThat(isForcing).isTrue();
        assertThat(flusher.isForcing()).as("this thread").isFalse();
        kafka.append(log);
        await(() -> snapshot().forcedBytes() == 2 * BATCH_BYTES);
    }

    @Test
    void aForceThatFailedEndsTheForcesOfThatLogDir() throws Exception {
        TestLog bad = TestLog.in(dir, "bad");
        TestLog good = TestLog.in(dir, "good");
        PacedLog badLog = paced(bad);
        PacedLog goodLog = paced(good);
        bad.broken = true;
        flusher.start();
        bad.append(badLog);
        await(() -> snapshot().failedLogDirs() == 1);
        good.append(goodLog);
        await(goodLog::hasEnded);
        assertThat(snapshot().pendingBytes()).isZero();
        assertThat(bad.forces).hasValue(1);
        assertThat(good.forces).hasValue(0);
    }

    @Test
    void aDiskThatHangsDoesNotHoldUpTheOtherDiskOfItsLogDir() throws Exception {
        TestLog here = TestLog.in(dir, "here");
        TestLog there = TestLog.linked(dir, "there", otherDisk);
        PacedLog hereLog = paced(here);
        PacedLog thereLog = paced(there);
        here.disk.drainPermits();
        flusher.start();
        here.append(hereLog);
        await(() -> here.forces.get() == 1);
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
        PacedLog hereLog = paced(here);
        PacedLog thereLog = paced(there);
        ceilings.rate(1_000_000_000, System.nanoTime());
        ceilings.of(DeviceId.of(dir, "unknown")).reserve(1L << 50, System.nanoTime());
        flusher.start();
        here.append(hereLog);
        for (int i = 1; i <= 3; i++) {
            there.append(thereLog);
            int forced = i;
            await(() -> there.local.recoveryPoint() == forced);
        }
        assertThat(here.forces).as("due three times over").hasValue(0);
        ceilings.rate(DeviceCeilings.UNLIMITED, System.nanoTime());
        await(() -> here.local.recoveryPoint() == 1);
    }

    @Test
    void forcesCountAgainstTheCeilingOfTheirDisk() throws Exception {
        TestLog kafka = TestLog.in(dir, "one");
        PacedLog log = paced(kafka);
        ceilings.rate(1000, System.nanoTime());
        flusher.start();
        kafka.append(log);
        await(() -> kafka.local.recoveryPoint() == 1);
        assertThat(ceilings.of(DeviceId.of(dir, "unknown")).waitNanos(System.nanoTime()))
                .isBetween(TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(BATCH_BYTES / 1000 + 1));
    }

    private PacedLog paced(TestLog kafka) {
        return new PacedLog(kafka, kafka.local, flusher, SOON, 0);
    }

    private FlushSnapshot snapshot() {
        return flusher.snapshot(System.nanoTime());
    }

    /** Until the test's own timeout. */
    private static void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.flush.kafka;

import static io.kafkapatches.flush.kafka.TestLog.BATCH_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import io.kafkapatches.flush.FlushRates;
import io.kafkapatches.flush.FlushSettings;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class LogDirFlusherTest {
    private static final FlushSettings SOON =
            new FlushSettings(1 << 20, 50, new FlushRates(1 << 20, FlushRates.UNLIMITED));

    @TempDir
    Path dir = Path.of("target");

    private final LogDirFlusher flusher = new LogDirFlusher("target", SOON, SOON::rates, new Handlers(8, () -> 1));

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

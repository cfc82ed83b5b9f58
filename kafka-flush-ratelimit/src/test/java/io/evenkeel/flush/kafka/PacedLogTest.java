/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.flush.kafka.TestLog.BATCH_BYTES;
import static io.evenkeel.flush.kafka.TestLog.SETTINGS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.flush.DirtyLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PacedLogTest {
    private static final long LONG_MS = 50_000;

    @TempDir
    Path dir = Path.of("target");

    private TestLog kafka;
    private PacedLog log;

    @BeforeEach
    void open() throws IOException {
        kafka = TestLog.in(dir, "one");
        // its worker is not started: the test forces
        LogDirFlusher flusher = new LogDirFlusher(
                dir.toString(), SETTINGS, SETTINGS::rates, new Handlers(8, () -> 1), new DeviceCeilings(), true);
        log = new PacedLog(kafka, kafka.local, flusher, SETTINGS, 0);
    }

    @Test
    void aForceMovesTheRecoveryPointAndMakesClean() throws Exception {
        kafka.append(log);
        assertThat(kafka.local.recoveryPoint()).isZero();
        assertThat(log.force()).isEqualTo(BATCH_BYTES);
        assertThat(kafka.local.recoveryPoint()).isEqualTo(1);
        assertThat(log.dirty().pending()).isNull();
        assertThat(log.force()).as("nothing is left").isZero();
        assertThat(kafka.forces).hasValue(1);
    }

    @Test
    void whatWasRecoveredIsDirty() throws Exception {
        kafka.append(log);
        PacedLog reopened = new PacedLog(kafka, kafka.local, log.dir(), SETTINGS, 0);
        reopened.opened(System.nanoTime());
        assertThat(requireNonNull(reopened.dirty().pending()).bytes()).isGreaterThanOrEqualTo(BATCH_BYTES);
        reopened.force();
        assertThat(reopened.dirty().pending()).isNull();
    }

    @Test
    void i4AForceIsOverBeforeTheLogEndsAndNoneBeginsAfter() throws Exception {
        kafka.append(log);
        kafka.disk.drainPermits();
        FutureTask<Long> force = inBackground(log::force);
        awaitWaiting(force);
        FutureTask<Long> end = inBackground(() -> {
            log.end();
            return kafka.local.recoveryPoint();
        });
        awaitWaiting(end);
        assertThat(end.isDone()).as("the force still runs").isFalse();
        kafka.disk.release();
        assertThat(end.get()).as("the force was over").isEqualTo(1);
        assertThat(force.get()).isEqualTo(BATCH_BYTES);
        kafka.append(log);
        assertThat(log.force()).isZero();
        assertThat(kafka.forces).hasValue(1);
    }

    @Test
    void i5WhoWaitsGoesOnWhenAForceHasMadeRoom() throws Exception {
        kafka.append(log);
        kafka.append(log);
        FutureTask<DirtyLog.@Nullable Promise> append = inBackground(() -> log.reserve(1, LONG_MS));
        awaitWaiting(append);
        log.force();
        assertThat(append.get()).isNotNull();
    }

    @Test
    void i5WhoWaitsGoesOnWhenAPromiseWasGivenBack() throws Exception {
        DirtyLog.Promise all = requireNonNull(log.dirty().reserve(2 * BATCH_BYTES, System.nanoTime()));
        FutureTask<DirtyLog.@Nullable Promise> append = inBackground(() -> log.reserve(1, LONG_MS));
        awaitWaiting(append);
        log.release(all);
        assertThat(append.get()).isNotNull();
    }

    @Test
    void i5WhoWaitsIsLetGoWhenTheLogEnds() throws Exception {
        kafka.append(log);
        kafka.append(log);
        FutureTask<DirtyLog.@Nullable Promise> append = inBackground(() -> log.reserve(1, LONG_MS));
        awaitWaiting(append);
        log.retire();
        assertThat(append.get()).isNull();
        assertThat(log.hasEnded()).isTrue();
    }

    @Test
    void aForceThatFailedIsNotTriedAgainAndTakesTheLogDirOffline() throws Exception {
        kafka.append(log);
        kafka.broken = true;
        assertThatThrownBy(log::force)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(kafka.dir().toString());
        assertThat(kafka.local.logDirFailureChannel().hasOfflineLogDir(kafka.local.parentDir()))
                .isTrue();
        kafka.broken = false;
        kafka.append(log);
        assertThat(log.force()).isZero();
        assertThat(kafka.forces).hasValue(1);
        assertThat(kafka.local.recoveryPoint()).isZero();
    }

    static <T extends @Nullable Object> FutureTask<T> inBackground(Callable<T> task) {
        NamedTask<T> future = new NamedTask<>(task);
        future.thread.start();
        return future;
    }

    /** A task that knows who runs it. */
    private static final class NamedTask<T extends @Nullable Object> extends FutureTask<T> {
        final Thread thread = new Thread(this, "test");

        NamedTask(Callable<T> task) {
            super(task);
            thread.setDaemon(true);
        }
    }

    /** Until it waits for somebody, or is over. */
    static void awaitWaiting(FutureTask<?> task) throws InterruptedException {
        Thread thread = ((NamedTask<?>) task).thread;
        while (!task.isDone()
                && thread.getState() != Thread.State.WAITING
                && thread.getState() != Thread.State.TIMED_WAITING
                && thread.getState() != Thread.State.BLOCKED) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}

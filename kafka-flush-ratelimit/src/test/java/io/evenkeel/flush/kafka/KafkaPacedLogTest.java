/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.flush.kafka.TestLog.BATCH_BYTES;
import static io.evenkeel.flush.kafka.TestLog.SETTINGS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.flush.UnflushedLog;
import io.evenkeel.flush.disk.FlushCounts;
import io.evenkeel.flush.disk.LogDirFlusher;
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
class KafkaPacedLogTest {
    private static final long LONG_MS = 50_000;

    @TempDir
    Path dir = Path.of("target");

    private TestLog kafka;
    private KafkaPacedLog log;

    @BeforeEach
    void open() throws IOException {
        kafka = TestLog.in(dir, "one");
        // its worker is not started: the test flushes
        LogDirFlusher flusher = new LogDirFlusher(
                dir.toString(), SETTINGS, SETTINGS::rates, new FlushCounts(), new DeviceCeilings(), true);
        log = new KafkaPacedLog(kafka, kafka.local, flusher, new Handlers(8, () -> 1), SETTINGS, 0);
    }

    @Test
    void aFlushMovesTheRecoveryPointAndLeavesNothingUnflushed() throws Exception {
        kafka.append(log);
        assertThat(kafka.local.recoveryPoint()).isZero();
        assertThat(log.flush()).isEqualTo(BATCH_BYTES);
        assertThat(kafka.local.recoveryPoint()).isEqualTo(1);
        assertThat(log.unflushed().pending()).isNull();
        assertThat(log.flush()).as("nothing is left").isZero();
        assertThat(kafka.flushes).hasValue(1);
    }

    @Test
    void recoveredBytesAreUnflushed() throws Exception {
        kafka.append(log);
        KafkaPacedLog reopened = new KafkaPacedLog(kafka, kafka.local, log.dir(), log.handlers(), SETTINGS, 0);
        reopened.opened(System.nanoTime());
        assertThat(requireNonNull(reopened.unflushed().pending()).bytes()).isGreaterThanOrEqualTo(BATCH_BYTES);
        reopened.flush();
        assertThat(reopened.unflushed().pending()).isNull();
    }

    @Test
    void i4AFlushIsOverBeforeTheLogEndsAndNoneBeginsAfter() throws Exception {
        kafka.append(log);
        kafka.disk.drainPermits();
        FutureTask<Long> flush = inBackground(log::flush);
        awaitWaiting(flush);
        FutureTask<Long> end = inBackground(() -> {
            log.end();
            return kafka.local.recoveryPoint();
        });
        awaitWaiting(end);
        assertThat(end.isDone()).as("the flush still runs").isFalse();
        kafka.disk.release();
        assertThat(end.get()).as("the flush was over").isEqualTo(1);
        assertThat(flush.get()).isEqualTo(BATCH_BYTES);
        kafka.append(log);
        assertThat(log.flush()).isZero();
        assertThat(kafka.flushes).hasValue(1);
    }

    @Test
    void i5AWaitingAppendGoesOnWhenAFlushHasMadeRoom() throws Exception {
        kafka.append(log);
        kafka.append(log);
        FutureTask<UnflushedLog.@Nullable Reservation> append = inBackground(() -> log.reserve(1, LONG_MS));
        awaitWaiting(append);
        log.flush();
        assertThat(append.get()).isNotNull();
    }

    @Test
    void i5AWaitingAppendGoesOnWhenAReservationWasReleased() throws Exception {
        UnflushedLog.Reservation all = requireNonNull(log.unflushed().reserve(2 * BATCH_BYTES, System.nanoTime()));
        FutureTask<UnflushedLog.@Nullable Reservation> append = inBackground(() -> log.reserve(1, LONG_MS));
        awaitWaiting(append);
        log.release(all);
        assertThat(append.get()).isNotNull();
    }

    @Test
    void i5AWaitingAppendGoesOnWhenTheLogEnds() throws Exception {
        kafka.append(log);
        kafka.append(log);
        FutureTask<UnflushedLog.@Nullable Reservation> append = inBackground(() -> log.reserve(1, LONG_MS));
        awaitWaiting(append);
        log.retire();
        assertThat(append.get()).isNull();
        assertThat(log.hasEnded()).isTrue();
    }

    @Test
    void aFlushThatFailedIsNotTriedAgainAndTakesTheLogDirOffline() throws Exception {
        kafka.append(log);
        kafka.broken = true;
        assertThatThrownBy(log::flush)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(kafka.dir().toString());
        assertThat(kafka.local.logDirFailureChannel().hasOfflineLogDir(kafka.local.parentDir()))
                .isTrue();
        kafka.broken = false;
        kafka.append(log);
        assertThat(log.flush()).isZero();
        assertThat(kafka.flushes).hasValue(1);
        assertThat(kafka.local.recoveryPoint()).isZero();
    }

    static <T extends @Nullable Object> FutureTask<T> inBackground(Callable<T> task) {
        NamedTask<T> future = new NamedTask<>(task);
        future.thread.start();
        return future;
    }

    /** A task that knows its thread. */
    private static final class NamedTask<T extends @Nullable Object> extends FutureTask<T> {
        final Thread thread = new Thread(this, "test");

        NamedTask(Callable<T> task) {
            super(task);
            thread.setDaemon(true);
        }
    }

    /** Returns when the task waits for another thread, or is over. */
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

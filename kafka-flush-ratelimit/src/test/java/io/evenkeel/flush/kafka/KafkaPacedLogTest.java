/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.flush.kafka.TestLog.BATCH_BYTES;
import static io.evenkeel.flush.kafka.TestLog.SETTINGS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.UnflushedLog;
import io.evenkeel.flush.disk.FlushCounter;
import io.evenkeel.flush.disk.FlushCounts;
import io.evenkeel.flush.disk.KernelWriteback;
import io.evenkeel.flush.disk.LogDirFlusher;
import io.evenkeel.flush.disk.PacedLog;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.storage.internals.log.LogSegment;
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

    private final FlushCounts counts = new FlushCounts();
    private final AppendWaits waits = new AppendWaits(4, counts);
    private final AtomicBoolean shadow = new AtomicBoolean();
    private TestLog kafka;
    private LogDirFlusher flusher;
    private KafkaPacedLog log;

    @BeforeEach
    void open() throws IOException {
        kafka = TestLog.in(dir, "one");
        // its worker is not started: the test flushes
        flusher = new LogDirFlusher(
                dir.toString(), () -> SETTINGS, counts, new DeviceCeilings(), KernelWriteback.ofLinux());
        log = paced();
    }

    private KafkaPacedLog paced() {
        KafkaPacedLog paced =
                new KafkaPacedLog(kafka, kafka.local, flusher, () -> shadow.get() ? settings(0, true) : SETTINGS, 0);
        paced.begin(System.nanoTime());
        return paced;
    }

    @Test
    void aFlushMovesTheRecoveryPointAndLeavesNothingUnflushed() throws Exception {
        kafka.append(log);
        assertThat(kafka.local.recoveryPoint()).isZero();
        assertThat(log.flush()).isEqualTo(BATCH_BYTES);
        assertThat(kafka.local.recoveryPoint()).isEqualTo(1);
        assertThat(log.unflushed().pending()).isNull();
        assertThat(log.flush()).as("nothing is left").isEqualTo(PacedLog.NOTHING);
        assertThat(kafka.flushes).hasValue(1);
    }

    /** And no append waits for them: nobody knows how many of them the kernel has not written. */
    @Test
    void recoveredBytesAreFlushedInTimeButDoNotCount() throws Exception {
        for (int i = 0; i < 5; i++) {
            kafka.append(log);
        }
        KafkaPacedLog reopened = paced();
        assertThat(requireNonNull(reopened.unflushed().pending()).bytes()).isZero();
        assertThat(reopened.hasRoom(BATCH_BYTES)).isTrue();
        assertThat(reopened.flush()).isZero();
        assertThat(reopened.unflushed().pending()).isNull();
        assertThat(kafka.local.recoveryPoint()).isEqualTo(5);
    }

    /** A follower truncates and appends: the same offsets are other records, which this flush may have missed. */
    @Test
    void i6WhatATruncationDuringTheFlushHasReplacedStaysUnflushed() throws Exception {
        for (int i = 0; i < 3; i++) {
            kafka.append(log);
        }
        List<Long> points = new ArrayList<>();
        kafka.inFlush = () -> {
            points.add(FlushRatelimitHooks.recoveryPoint(kafka.local, 3));
            log.truncated(1);
            points.add(FlushRatelimitHooks.recoveryPoint(kafka.local, 3));
            log.cleared(0);
            points.add(FlushRatelimitHooks.recoveryPoint(kafka.local, 3));
        };
        log.flush();
        assertThat(points).containsExactly(3L, 1L, 0L);
        kafka.inFlush = () -> points.add(FlushRatelimitHooks.recoveryPoint(kafka.local, 3));
        kafka.append(log);
        log.flush();
        assertThat(points).as("the next flush").last().isEqualTo(3L);
        assertThat(FlushRatelimitHooks.recoveryPoint(kafka.local, 3))
                .as("not our flush")
                .isEqualTo(3);
    }

    /** The log is quiet, and its flush hangs for longer than the bound. */
    @Test
    void aLateFlushIsCountedWhenItEnds() throws Exception {
        KafkaPacedLog quiet = new KafkaPacedLog(
                kafka,
                kafka.local,
                flusher,
                () -> new FlushSettings(1 << 20, 10, 1 << 20, FlushSettings.UNLIMITED, 0, true, false),
                0);
        quiet.begin(System.nanoTime());
        kafka.append(quiet);
        kafka.inFlush = () -> {
            long beganNanos = System.nanoTime();
            while (System.nanoTime() - beganNanos < TimeUnit.MILLISECONDS.toNanos(11)) {
                Thread.onSpinWait();
            }
        };
        quiet.flush();
        assertThat(counts.read().get(FlushCounter.BOUNDS_EXCEEDED)).isEqualTo(1);
    }

    @Test
    void nothingCountsWhileFlushingByRateIsOff() throws Exception {
        log.pause();
        kafka.append(log);
        kafka.append(log);
        assertThat(log.unflushed().pending()).isNull();
        assertThat(log.hasRoom(BATCH_BYTES)).isTrue();
        assertThat(log.flush()).isEqualTo(PacedLog.NOTHING);
        log.begin(System.nanoTime());
        assertThat(log.flush()).isZero();
        assertThat(kafka.local.recoveryPoint()).isEqualTo(2);
    }

    @Test
    void inTheShadowAFlushIsOnlyPlanned() throws Exception {
        shadow.set(true);
        kafka.append(log);
        assertThat(log.flush()).isEqualTo(BATCH_BYTES);
        assertThat(log.unflushed().pending()).as("the plan has flushed it").isNull();
        assertThat(log.flush()).isEqualTo(PacedLog.NOTHING);
        assertThat(kafka.flushes).hasValue(0);
        assertThat(kafka.local.recoveryPoint()).isZero();
    }

    @Test
    void inTheShadowNoAppendWaits() throws Exception {
        shadow.set(true);
        fill();
        waits.requestBegins(true, settings(5_000, true));
        waits.await(log, 1);
        assertThat(counts.read().get(FlushCounter.APPEND_WAITS)).isZero();
        assertThat(requireNonNull(log.unflushed().pending()).wanted())
                .as("the plan flushes it next")
                .isTrue();
    }

    /** What was only planned is to be flushed. A planned flush that ends late does not hide it. */
    @Test
    void whatTheShadowHasNotFlushedIsFlushedWhenItIsLeft() throws Exception {
        shadow.set(true);
        kafka.append(log);
        log.flush();
        UnflushedLog ofThePlan = log.unflushed();
        shadow.set(false);
        log.pause();
        log.begin(System.nanoTime());
        ofThePlan.flushed(1);
        assertThat(log.unflushed().pending()).isNotNull();
        log.flush();
        assertThat(kafka.local.recoveryPoint()).isEqualTo(1);
    }

    /** KAFKA-19571: a segment that is deleted while our flush comes to it. */
    @Test
    void aSegmentThatKafkaHasDroppedIsNoFailure() throws Exception {
        LogSegment segment = kafka.local.segments().activeSegment();
        ClosedChannelException closed = new ClosedChannelException();
        NoSuchFileException gone = new NoSuchFileException("gone");
        List<@Nullable Throwable> seen = new ArrayList<>();
        kafka.inFlush = () -> {
            seen.add(FlushRatelimitHooks.segmentFlushed(segment, closed));
            kafka.local.segments().remove(segment.baseOffset());
            seen.add(FlushRatelimitHooks.segmentFlushed(segment, closed));
            seen.add(FlushRatelimitHooks.segmentFlushed(segment, gone));
            seen.add(FlushRatelimitHooks.segmentFlushed(segment, new IOException("of the disk")));
            kafka.local.segments().add(segment);
        };
        kafka.append(log);
        log.flush();
        assertThat(seen).hasSize(4).startsWith(closed, null, null);
        assertThat(seen.get(3)).hasMessage("of the disk");
        assertThat(FlushRatelimitHooks.segmentFlushed(segment, closed))
                .as("not our flush")
                .isSameAs(closed);
    }

    @Test
    void i3AFlushIsOverBeforeTheLogEndsAndNoneBeginsAfter() throws Exception {
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
        assertThat(log.flush()).isEqualTo(PacedLog.NOTHING);
        assertThat(kafka.flushes).hasValue(1);
    }

    @Test
    void i4AWaitingAppendGoesOnWhenAFlushHasMadeRoom() throws Exception {
        fill();
        FutureTask<Boolean> append = waiting();
        log.flush();
        assertThat(append.get()).isTrue();
    }

    @Test
    void i4AWaitingAppendGoesOnWhenTheLogEnds() throws Exception {
        fill();
        FutureTask<Boolean> append = waiting();
        log.retire();
        assertThat(append.get()).isTrue();
        assertThat(log.hasEnded()).isTrue();
    }

    @Test
    void i4AWaitingAppendGoesOnWhenFlushingByRateIsSwitchedOff() throws Exception {
        fill();
        FutureTask<Boolean> append = waiting();
        log.pause();
        assertThat(append.get()).isTrue();
    }

    private void fill() throws IOException {
        kafka.append(log);
        kafka.append(log);
    }

    private FutureTask<Boolean> waiting() throws InterruptedException {
        FutureTask<Boolean> append = inBackground(() -> {
            log.awaitRoom(1, TimeUnit.MILLISECONDS.toNanos(LONG_MS));
            return log.hasRoom(1);
        });
        awaitWaiting(append);
        return append;
    }

    @Test
    void i5ARequestWaitsOnceForAllItsAppendsAndThenTheyGoIn() throws Exception {
        fill();
        long beganNanos = System.nanoTime();
        waits.requestBegins(true, waitMs(50));
        for (int i = 0; i < 100; i++) {
            waits.await(log, 1);
        }
        assertThat(System.nanoTime() - beganNanos).isGreaterThanOrEqualTo(50_000_000L);
        assertThat(counts.read().get(FlushCounter.APPEND_WAITS))
                .as("100 appends")
                .isBetween(1L, 5L);
        assertThat(counts.read().get(FlushCounter.WAITING_APPENDS)).isZero();
    }

    @Test
    void i5OnlyRequestsOfClientsWaitAndOnlyWhereTheOperatorWantsThat() throws Exception {
        fill();
        waits.requestBegins(false, waitMs(5_000));
        waits.await(log, 1);
        waits.requestBegins(true, waitMs(0));
        waits.await(log, 1);
        assertThat(counts.read().get(FlushCounter.APPEND_WAITS)).isZero();
    }

    /** One of four handlers. */
    @Test
    void i5OnlyAPartOfTheHandlersWaits() throws Exception {
        fill();
        FutureTask<Boolean> first = inBackground(() -> {
            waits.requestBegins(true, waitMs(5_000));
            waits.await(log, 1);
            return true;
        });
        awaitWaiting(first);
        waits.requestBegins(true, waitMs(5_000));
        waits.await(log, 1);
        assertThat(first.isDone()).isFalse();
        log.flush();
        assertThat(first.get()).isTrue();
        assertThat(counts.read().get(FlushCounter.APPEND_WAITS)).isEqualTo(1);
    }

    private static FlushSettings waitMs(long ms) {
        return settings(ms, false);
    }

    private static FlushSettings settings(long waitMs, boolean isShadow) {
        return new FlushSettings(2 * BATCH_BYTES, 86_400_000, 1 << 20, FlushSettings.UNLIMITED, waitMs, true, isShadow);
    }

    @Test
    void anAppendBeyondTheBoundIsCounted() throws Exception {
        fill();
        kafka.append(log);
        kafka.append(log);
        assertThat(counts.read().get(FlushCounter.BOUNDS_EXCEEDED)).isEqualTo(1);
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
        assertThat(log.flush()).isEqualTo(PacedLog.NOTHING);
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

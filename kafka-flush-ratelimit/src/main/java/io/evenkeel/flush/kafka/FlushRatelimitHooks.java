/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.disk.MappedFileFsync;
import java.io.File;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.NoSuchFileException;
import java.util.Map;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogFileUtils;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * The static door through which woven broker code reaches flushing by rate. Thread safe.
 *
 * <p>While flushing by rate is off, the broker runs as stock.
 */
public final class FlushRatelimitHooks {
    private static volatile @Nullable RunningFlush running;

    private FlushRatelimitHooks() {}

    static void start(Map<String, ?> values) {
        KafkaLogs.requireKnownKafka();
        running = FlushStart.run(values);
    }

    /** Null until the broker has started; flushing by rate may be off. */
    static @Nullable RunningFlush running() {
        return running;
    }

    /** Called when Kafka has opened a log. */
    public static void opened(Object unifiedLog, LocalLog log) {
        RunningFlush on = running;
        if (on != null) {
            on.logs().opened(unifiedLog, log);
        }
    }

    /** Called on entry to {@code UnifiedLog.close} and {@code delete}, without the partition's lock. */
    public static void ending(Object unifiedLog) {
        RunningFlush on = running;
        if (on != null) {
            on.logs().ending(unifiedLog);
        }
    }

    /** Called when Kafka closes a log whose log directory has failed. */
    public static void failed(LocalLog log) {
        RunningFlush on = running;
        if (on != null) {
            on.logs().failed(log);
        }
    }

    /** Called on exit from {@code LocalLog.renameDir}. */
    public static void renamed(LocalLog log, String name) {
        RunningFlush on = running;
        if (on != null) {
            on.logs().renamed(log, name);
        }
    }

    /**
     * Called on entry to {@code ReplicaManager.appendToLocalLog}, which appends what one request brings, on its thread.
     *
     * @param origin who has sent it
     */
    public static void requestBegins(AppendOrigin origin) {
        RunningFlush on = whileOn();
        if (on != null) {
            on.waits().requestBegins(origin == AppendOrigin.CLIENT, on.logs().settings());
        }
    }

    /**
     * Called when a leader is about to append, before it takes a lock: a client waits for a moment while the log has no
     * room.
     *
     * @param log the partition's
     */
    public static void leads(Option<?> log, Object records) {
        RunningFlush on = whileOn();
        KafkaPacedLog paced = on == null || log.isEmpty() ? null : on.logs().ofUnified(log.get());
        if (on != null && paced != null) {
            on.waits().await(paced, KafkaLogs.buffer(records).remaining());
        }
    }

    /**
     * Called on exit from {@code LocalLog.append} when it did not throw, under the partition's lock.
     *
     * @param firstOffset where the log ended before
     */
    public static void written(LocalLog log, long firstOffset, long lastOffset, Object records) {
        KafkaPacedLog paced = paced(log);
        if (paced != null) {
            paced.appended(
                    firstOffset, lastOffset + 1, KafkaLogs.buffer(records).remaining(), System.nanoTime());
        }
    }

    /** Called on entry to {@code LocalLog.updateRecoveryPoint}; returns the recovery point to set. */
    public static long recoveryPoint(LocalLog log, long offset) {
        KafkaPacedLog flushing = KafkaPacedLog.flushing();
        return flushing == null || flushing.log() != log ? offset : flushing.recoveryPoint(offset);
    }

    /**
     * Called on exit from {@code LocalLog.updateRecoveryPoint}: what is before it is flushed, or deleted. In the
     * shadow, Kafka's flushes by count are not part of the plan. They end in the newest segment, and those after a roll
     * before it.
     */
    public static void flushed(LocalLog log, long offset) {
        KafkaPacedLog paced = paced(log);
        if (paced != null && (!isShadow() || !isPaced(log) || offset <= activeBaseOffset(log))) {
            paced.flushed(offset);
        }
    }

    /** Called on exit from {@code LocalLog.truncateTo}. */
    public static void truncated(LocalLog log) {
        KafkaPacedLog paced = paced(log);
        if (paced != null) {
            paced.truncated(log.logEndOffset());
        }
    }

    /** Called on exit from {@code LocalLog.truncateFullyAndStartAt}. */
    public static void cleared(LocalLog log) {
        KafkaPacedLog paced = paced(log);
        if (paced != null) {
            paced.cleared(log.logEndOffset());
        }
    }

    /**
     * Called on exit from {@code LocalLog.unflushedMessages}, by which an append decides whether to flush: not where
     * the pacer does.
     */
    public static long unflushedMessages(LocalLog log, long stock) {
        KafkaPacedLog paced = paced(log);
        return paced == null || paced.hasEnded() || !isPaced(log) || isShadow() ? stock : 0;
    }

    /**
     * Called on entry to {@code AbstractIndex.flush}, which holds the index's lock meanwhile. An append waits for that
     * lock with the partition's lock held, so our flush does without.
     *
     * @return whether Kafka's own flush is to be skipped, because ours is done
     * @throws IOException when it failed; Kafka then takes the log directory offline
     */
    public static boolean flushesIndex(File index) throws IOException {
        return KafkaPacedLog.flushing() != null && flushedOrDeleted(index);
    }

    /**
     * Kafka unmaps an index only after it has given the file its last name. A mapping that is gone cannot be flushed.
     */
    static boolean flushedOrDeleted(File index) throws IOException {
        return MappedFileFsync.fsync(index.toPath()) || index.getName().endsWith(LogFileUtils.DELETED_FILE_SUFFIX);
    }

    /**
     * Called on exit from {@code LogSegment.flush}: our flush may come to a segment that Kafka has removed from the log
     * and closed meanwhile. That is no failure of the disk, and the log directory must not go offline for it.
     *
     * @param failure what the flush has thrown
     * @return the same; null where the segment's file is closed or gone, and the segment not part of the log any more
     */
    public static @Nullable Throwable segmentFlushed(LogSegment segment, @Nullable Throwable failure) {
        if (failure instanceof ClosedChannelException || failure instanceof NoSuchFileException) {
            KafkaPacedLog flushing = KafkaPacedLog.flushing();
            return flushing != null && flushing.hasDropped(segment) ? null : failure;
        }
        return failure;
    }

    /** A small interval is a promise about durability and keeps its meaning. */
    private static boolean isPaced(LocalLog log) {
        return FlushRatelimitConfig.replaces(log.config().flushInterval);
    }

    private static long activeBaseOffset(LocalLog log) {
        return log.segments().activeSegment().baseOffset();
    }

    /** Whether flushes are only planned. */
    private static boolean isShadow() {
        RunningFlush on = running;
        return on != null && on.logs().settings().isShadow();
    }

    private static @Nullable RunningFlush whileOn() {
        RunningFlush now = running;
        return now != null && now.logs().isOn() ? now : null;
    }

    /** Null where flushing by rate is off. */
    private static @Nullable KafkaPacedLog paced(LocalLog log) {
        RunningFlush on = whileOn();
        return on == null ? null : on.logs().of(log);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.disk.MappedFileFsync;
import java.io.File;
import java.io.IOException;
import java.util.Map;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.storage.internals.log.AppendOrigin;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.apache.kafka.storage.internals.log.LogFileUtils;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * The static door through which woven broker code reaches flushing by rate. Thread safe.
 *
 * <p>Until {@link ConfiguredFlush} has switched it on, the broker runs as stock.
 */
public final class FlushRatelimitHooks {
    private static volatile @Nullable RunningFlush running;

    private FlushRatelimitHooks() {}

    static void start(Map<String, ?> values) {
        KafkaLogs.requireKnownKafka();
        running = FlushStart.run(values);
    }

    /** Null while flushing by rate is off. */
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
     */
    public static void requestBegins() {
        RunningFlush on = running;
        if (on != null) {
            on.backPressure().requestBegins();
        }
    }

    /**
     * Called on exit from there, without a lock, before anything is answered: waits while that may not be.
     *
     * @param origin who has sent it
     * @param failure what Kafka has thrown
     * @throws KafkaStorageException when it may not be answered for long; clients try again
     */
    public static void requestEnds(AppendOrigin origin, @Nullable Throwable failure) {
        RunningFlush on = running;
        if (on != null) {
            on.backPressure().requestEnds(failure != null, origin == AppendOrigin.CLIENT);
        }
    }

    /**
     * Called when a leader is about to append, before it takes a lock: waits while the log has no room.
     *
     * @param log the partition's
     * @return for {@link #appended}
     * @throws KafkaStorageException when there is no room for long; clients try again
     */
    public static @Nullable Object leads(Option<?> log, Object records) {
        KafkaPacedLog paced = paced(log);
        RunningFlush on = running;
        return paced == null || on == null ? null : on.backPressure().leader(paced, KafkaLogs.buffer(records));
    }

    /**
     * The same for a follower, or for a replica that moves to another log directory.
     *
     * @return for {@link #followed}; with {@link PutOff} Kafka's own code is skipped
     */
    public static @Nullable Object follows(Option<?> log, Option<?> futureLog, boolean isFuture, Object records) {
        KafkaPacedLog paced = paced(isFuture ? futureLog : log);
        RunningFlush on = running;
        return paced == null || on == null
                ? null
                : on.backPressure().follower(paced, KafkaLogs.buffer(records).remaining());
    }

    /** Called when that append is over, however it ended. */
    public static void appended(@Nullable Object admission) {
        if (admission instanceof Admission admitted) {
            admitted.end();
        }
    }

    /**
     * The same for a follower.
     *
     * @param stock what Kafka answers
     * @return the same, or nothing when the append was put off; the fetcher then asks for the same records again
     */
    public static @Nullable Option<?> followed(@Nullable Object admission, @Nullable Option<?> stock) {
        appended(admission);
        return admission instanceof PutOff ? Option.empty() : stock;
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

    /** Called on exit from {@code LocalLog.updateRecoveryPoint}: what is before it is forced, or deleted. */
    public static void forced(LocalLog log, long offset) {
        KafkaPacedLog paced = paced(log);
        if (paced != null) {
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
            paced.cleared();
        }
    }

    /**
     * Called on exit from {@code LocalLog.unflushedMessages}, by which an append decides whether to force: not where
     * the pacer does. An interval of 1 keeps its meaning.
     */
    public static long unflushedMessages(LocalLog log, long stock) {
        return log.config().flushInterval > 1 && paced(log) != null ? 0 : stock;
    }

    /**
     * Called on entry to {@code AbstractIndex.flush}, which holds the index's lock while it forces, and who appends
     * waits for that lock with the partition's lock held. A force of ours goes without.
     *
     * @return whether Kafka's own is to be skipped, because that is done
     * @throws IOException when it failed; Kafka then takes the log directory offline
     */
    public static boolean flushesIndex(File index) throws IOException {
        RunningFlush on = running;
        return on != null && on.logs().areFlushing() && forcedOrDeleted(index);
    }

    /**
     * Kafka unmaps an index only after it has given the file its last name; of a mapping that is gone nothing can be
     * forced.
     */
    static boolean forcedOrDeleted(File index) throws IOException {
        return MappedFileFsync.fsync(index.toPath()) || index.getName().endsWith(LogFileUtils.DELETED_FILE_SUFFIX);
    }

    private static @Nullable KafkaPacedLog paced(LocalLog log) {
        RunningFlush on = running;
        return on == null ? null : on.logs().of(log);
    }

    private static @Nullable KafkaPacedLog paced(Option<?> log) {
        RunningFlush on = running;
        return on == null || log.isEmpty() ? null : on.logs().ofUnified(log.get());
    }
}

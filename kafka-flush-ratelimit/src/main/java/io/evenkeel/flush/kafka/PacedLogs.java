/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.disk.FlushBacklog;
import io.evenkeel.flush.disk.FlushCounts;
import io.evenkeel.flush.disk.FlushSnapshot;
import io.evenkeel.flush.disk.LogDirFlusher;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.jspecify.annotations.Nullable;

/** The paced logs of a broker, found by Kafka's own log objects, and the log directories they are in. Thread safe. */
final class PacedLogs {
    /** Kafka's raft decides itself when it flushes this log. */
    private static final String METADATA = "__cluster_metadata";

    private final FlushSettings settings;
    private final int handlers;
    private final DeviceCeilings ceilings;
    private final boolean syncs;
    private final FlushCounts counts = new FlushCounts();
    private volatile FlushRates rates;
    private final Map<LocalLog, KafkaPacedLog> byLocalLog = new ConcurrentHashMap<>();
    private final Map<Object, KafkaPacedLog> byUnifiedLog = new ConcurrentHashMap<>();
    private final Map<String, LogDirFlusher> dirs = new ConcurrentHashMap<>();
    private final Map<String, Handlers> handlersByDir = new ConcurrentHashMap<>();

    /**
     * @param handlers the number of request handlers of the broker
     * @param ceilings of all disks; their rate is set here
     * @param syncs whether workers call syncfs, to prevent the kernel's own writeback
     */
    PacedLogs(FlushSettings settings, int handlers, DeviceCeilings ceilings, boolean syncs) {
        this.settings = settings;
        this.handlers = handlers;
        this.ceilings = ceilings;
        this.syncs = syncs;
        this.rates = settings.rates();
        setCeiling(settings.rates());
    }

    private void setCeiling(FlushRates to) {
        long bytesPerSecond = to.deviceBytesPerSecond();
        ceilings.rate(
                bytesPerSecond == FlushRates.UNLIMITED ? DeviceCeilings.UNLIMITED : bytesPerSecond, System.nanoTime());
    }

    void opened(Object unifiedLog, LocalLog log) {
        if (log.topicPartition().topic().equals(METADATA) || isAboutToBeDeleted(log.name())) {
            return;
        }
        KafkaPacedLog paced = new KafkaPacedLog(
                unifiedLog,
                log,
                dirs.computeIfAbsent(log.parentDir(), this::newDir),
                handlersByDir.computeIfAbsent(log.parentDir(), path -> new Handlers(handlers, dirs::size)),
                settings,
                ThreadLocalRandom.current().nextDouble());
        byLocalLog.put(log, paced);
        byUnifiedLog.put(unifiedLog, paced);
        paced.opened(System.nanoTime());
    }

    private LogDirFlusher newDir(String path) {
        LogDirFlusher dir = new LogDirFlusher(path, settings, () -> rates, counts, ceilings, syncs);
        dir.start();
        return dir;
    }

    @Nullable
    KafkaPacedLog of(LocalLog log) {
        return byLocalLog.get(log);
    }

    @Nullable
    KafkaPacedLog ofUnified(Object unifiedLog) {
        return byUnifiedLog.get(unifiedLog);
    }

    /** The partition's directory has a new name. */
    void renamed(LocalLog log, String name) {
        KafkaPacedLog paced = isAboutToBeDeleted(name) ? byLocalLog.remove(log) : null;
        if (paced != null) {
            paced.retire(); // it stays in byUnifiedLog until Kafka deletes the log: a flush may still run
        }
    }

    /** Kafka abandons the log, because its log directory has failed. */
    void failed(LocalLog log) {
        KafkaPacedLog paced = byLocalLog.remove(log);
        if (paced != null) {
            byUnifiedLog.remove(paced.unifiedLog());
            paced.retire();
        }
    }

    /** Kafka is about to close or delete the log. */
    void ending(Object unifiedLog) {
        KafkaPacedLog paced = byUnifiedLog.remove(unifiedLog);
        if (paced != null) {
            byLocalLog.remove(paced.log());
            paced.end();
        }
    }

    /** Whether the calling thread is one of our workers. */
    boolean areFlushing() {
        return dirs.values().stream().anyMatch(LogDirFlusher::isFlushing);
    }

    void rates(FlushRates changed) {
        rates = changed;
        setCeiling(changed);
        dirs.values().forEach(LogDirFlusher::ratesChanged);
    }

    FlushSnapshot snapshot() {
        long nowNanos = System.nanoTime();
        FlushBacklog backlog =
                dirs.values().stream().map(dir -> dir.backlog(nowNanos)).reduce(FlushBacklog.NONE, FlushBacklog::plus);
        return new FlushSnapshot(backlog, counts.read());
    }

    private static boolean isAboutToBeDeleted(String dirName) {
        return dirName.endsWith("-delete") || dirName.endsWith("-stray");
    }
}

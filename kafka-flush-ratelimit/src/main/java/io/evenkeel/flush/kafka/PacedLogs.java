/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.disk.FlushBacklog;
import io.evenkeel.flush.disk.FlushCounts;
import io.evenkeel.flush.disk.FlushSnapshot;
import io.evenkeel.flush.disk.KernelWriteback;
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

    private final FlushCounts counts;
    private final DeviceCeilings ceilings;
    private final KernelWriteback kernel;
    private volatile FlushChoice choice;
    private final Map<LocalLog, KafkaPacedLog> byLocalLog = new ConcurrentHashMap<>();
    private final Map<Object, KafkaPacedLog> byUnifiedLog = new ConcurrentHashMap<>();
    private final Map<String, LogDirFlusher> dirs = new ConcurrentHashMap<>();

    /**
     * @param ceilings of all disks; their rate is set here
     * @param kernel whose own writeback workers prevent with syncfs
     */
    PacedLogs(FlushChoice choice, FlushCounts counts, DeviceCeilings ceilings, KernelWriteback kernel) {
        this.choice = choice;
        this.counts = counts;
        this.ceilings = ceilings;
        this.kernel = kernel;
        setCeiling();
    }

    private void setCeiling() {
        long bytesPerSecond = choice.settings().deviceBytesPerSecond();
        boolean isUnlimited = !choice.flushes() || bytesPerSecond == FlushSettings.UNLIMITED;
        ceilings.rate(isUnlimited ? DeviceCeilings.UNLIMITED : bytesPerSecond, System.nanoTime());
    }

    FlushChoice choice() {
        return choice;
    }

    /** Whether flushes are planned now. */
    boolean isOn() {
        return choice.isOn();
    }

    FlushSettings settings() {
        return choice.settings();
    }

    /** The operator has changed the settings. To be called on one thread. */
    void change(FlushChoice changed) {
        FlushChoice before = choice;
        choice = changed;
        setCeiling();
        if (!changed.hasModeOf(before)) {
            byLocalLog.values().forEach(KafkaPacedLog::pause);
            if (changed.isOn()) {
                byLocalLog.values().forEach(log -> log.begin(System.nanoTime()));
            }
        }
        dirs.values().forEach(LogDirFlusher::settingsChanged);
    }

    /** Kafka has opened a log. */
    void opened(Object unifiedLog, LocalLog log) {
        if (log.topicPartition().topic().equals(METADATA) || isAboutToBeDeleted(log.name())) {
            return;
        }
        KafkaPacedLog paced = new KafkaPacedLog(
                unifiedLog,
                log,
                dirs.computeIfAbsent(log.parentDir(), this::newDir),
                this::settings,
                ThreadLocalRandom.current().nextDouble());
        byLocalLog.put(log, paced);
        byUnifiedLog.put(unifiedLog, paced);
        if (isOn()) {
            paced.begin(System.nanoTime());
        }
    }

    private LogDirFlusher newDir(String path) {
        LogDirFlusher dir = new LogDirFlusher(path, this::settings, counts, ceilings, kernel);
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

    FlushSnapshot snapshot() {
        long nowNanos = System.nanoTime();
        FlushBacklog backlog =
                dirs.values().stream().map(dir -> dir.backlog(nowNanos)).reduce(FlushBacklog.NONE, FlushBacklog::plus);
        return new FlushSnapshot(backlog, counts.read(), settings().isShadow());
    }

    private static boolean isAboutToBeDeleted(String dirName) {
        return dirName.endsWith("-delete") || dirName.endsWith("-stray");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.FlushSettings;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.storage.internals.log.LocalLog;
import org.jspecify.annotations.Nullable;

/** The logs of a broker that are paced, by what Kafka calls them, and who forces them. Thread safe. */
final class PacedLogs {
    /** It decides itself when it forces what. */
    private static final String METADATA = "__cluster_metadata";

    private final FlushSettings settings;
    private final int handlers;
    private final DeviceCeilings ceilings;
    private final boolean syncs;
    private volatile FlushRates rates;
    private final Map<LocalLog, PacedLog> byLocalLog = new ConcurrentHashMap<>();
    private final Map<Object, PacedLog> byUnifiedLog = new ConcurrentHashMap<>();
    private final Map<String, LogDirFlusher> dirs = new ConcurrentHashMap<>();

    /**
     * @param handlers how many request handlers the broker has
     * @param ceilings get the one that is set
     * @param syncs whether disks are to be synced, to keep the kernel's own writeback away
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
        if (log.topicPartition().topic().equals(METADATA) || isGoing(log.name())) {
            return;
        }
        LogDirFlusher dir = dirs.computeIfAbsent(log.parentDir(), this::newDir);
        PacedLog paced = new PacedLog(
                unifiedLog, log, dir, settings, ThreadLocalRandom.current().nextDouble());
        byLocalLog.put(log, paced);
        byUnifiedLog.put(unifiedLog, paced);
        paced.opened(System.nanoTime());
    }

    private LogDirFlusher newDir(String path) {
        LogDirFlusher dir =
                new LogDirFlusher(path, settings, () -> rates, new Handlers(handlers, dirs::size), ceilings, syncs);
        dir.start();
        return dir;
    }

    @Nullable
    PacedLog of(LocalLog log) {
        return byLocalLog.get(log);
    }

    @Nullable
    PacedLog ofUnified(Object unifiedLog) {
        return byUnifiedLog.get(unifiedLog);
    }

    /** The partition's directory has a new name. */
    void renamed(LocalLog log, String name) {
        PacedLog paced = isGoing(name) ? byLocalLog.remove(log) : null;
        if (paced != null) {
            paced.retire(); // and stays known by its other name until it is deleted: a force may still run
        }
    }

    /** Kafka gives up the log, because its log directory has failed. */
    void failed(LocalLog log) {
        PacedLog paced = byLocalLog.remove(log);
        if (paced != null) {
            byUnifiedLog.remove(paced.unifiedLog());
            paced.retire();
        }
    }

    /** Kafka is about to close or delete the log. */
    void ending(Object unifiedLog) {
        PacedLog paced = byUnifiedLog.remove(unifiedLog);
        if (paced != null) {
            byLocalLog.remove(paced.log());
            paced.end();
        }
    }

    /** Whether the caller is a force of ours, of whichever log. */
    boolean areForcing() {
        return dirs.values().stream().anyMatch(LogDirFlusher::isForcing);
    }

    void rates(FlushRates changed) {
        rates = changed;
        setCeiling(changed);
        dirs.values().forEach(LogDirFlusher::look);
    }

    FlushSnapshot snapshot() {
        long nowNanos = System.nanoTime();
        return dirs.values().stream()
                .map(dir -> dir.snapshot(nowNanos))
                .reduce(FlushSnapshot.NONE, FlushSnapshot::plus);
    }

    private static boolean isGoing(String dirName) {
        return dirName.endsWith("-delete") || dirName.endsWith("-stray");
    }
}

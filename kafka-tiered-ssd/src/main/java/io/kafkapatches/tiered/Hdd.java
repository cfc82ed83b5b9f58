/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * One HDD: the log directories on it, what waits to be copied to it, and what its readers feel. Thread safe.
 *
 * <p>Two copies at a time would have the heads run to and fro, so all log directories of an HDD share one syncer.
 */
final class Hdd {
    private final List<LogDir> logDirs = new CopyOnWriteArrayList<>();
    private final SyncQueue queue = new SyncQueue();
    private final DeviceCounts counts;
    private volatile long syncBytesPerSecond;

    /**
     * @param syncBytesPerSecond the first pace of the copies
     */
    Hdd(LongSupplier nanoClock, long syncBytesPerSecond) {
        this.counts = new DeviceCounts(nanoClock);
        this.syncBytesPerSecond = syncBytesPerSecond;
    }

    void add(LogDir logDir) {
        logDirs.add(logDir);
    }

    /** Segments that are to be copied to it. */
    SyncQueue queue() {
        return queue;
    }

    /** Of all segments whose log directory is here, on whichever device they are. */
    DeviceCounts counts() {
        return counts;
    }

    /** The present pace of the copies to it. */
    long syncBytesPerSecond() {
        return syncBytesPerSecond;
    }

    void syncBytesPerSecond(long bytesPerSecond) {
        syncBytesPerSecond = bytesPerSecond;
    }

    /** How much its SSDs need to be relieved, from 0 to 1: as much as the one that needs it most. */
    double syncPressure(DynamicSettings settings) {
        return logDirs.stream()
                .map(LogDir::ssdDirs)
                .flatMap(Collection::stream)
                .mapToDouble(ssd -> ssd.syncPressure(settings))
                .max()
                .orElse(0);
    }

    @Override
    public String toString() {
        return logDirs.stream().map(LogDir::toString).collect(Collectors.joining(", "));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.DynamicTierSettings;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * One HDD: the log directories on it, the pace of the copies to it, and the statistics of its readers. Thread safe.
 *
 * <p>Two copies at a time would make the heads seek back and forth, so all log directories of an HDD share one copier.
 */
public final class Hdd {
    private final List<LogDir> logDirs = new CopyOnWriteArrayList<>();
    private final ReadStats counts;
    private final LongAdder appendedBytes = new LongAdder();
    private volatile long copyBytesPerSecond;

    /** @param copyBytesPerSecond the first pace of the copies */
    public Hdd(LongSupplier nanoClock, long copyBytesPerSecond) {
        this.counts = new ReadStats(nanoClock);
        this.copyBytesPerSecond = copyBytesPerSecond;
    }

    public void add(LogDir logDir) {
        logDirs.add(logDir);
    }

    /** The reads of all segments whose log directory is here, from either device. */
    public ReadStats counts() {
        return counts;
    }

    /** The bytes that were appended since the start to segments whose log directory is here, on either device. */
    public long appendedBytes() {
        return appendedBytes.sum();
    }

    public void appended(long bytes) {
        appendedBytes.add(bytes);
    }

    /** The present pace of the copies to it. */
    public long copyBytesPerSecond() {
        return copyBytesPerSecond;
    }

    public void copyBytesPerSecond(long bytesPerSecond) {
        copyBytesPerSecond = bytesPerSecond;
    }

    /** The need of its SSDs to have segments copied, from 0 to 1: that of the SSD that needs it most. */
    public double copyPressure(DynamicTierSettings settings) {
        return logDirs.stream()
                .map(LogDir::ssdDirs)
                .flatMap(Collection::stream)
                .mapToDouble(ssd -> ssd.copyPressure(settings))
                .max()
                .orElse(0);
    }

    @Override
    public String toString() {
        return logDirs.stream().map(LogDir::toString).collect(Collectors.joining(", "));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.DynamicTierSettings;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * One HDD: the log directories on it, the pace of the copies to it, and what its readers feel. Thread safe.
 *
 * <p>Two copies at a time would have the heads run to and fro, so all log directories of an HDD share one copier.
 */
public final class Hdd {
    private final List<LogDir> logDirs = new CopyOnWriteArrayList<>();
    private final ReadStats counts;
    private volatile long copyBytesPerSecond;

    /** @param copyBytesPerSecond the first pace of the copies */
    public Hdd(LongSupplier nanoClock, long copyBytesPerSecond) {
        this.counts = new ReadStats(nanoClock);
        this.copyBytesPerSecond = copyBytesPerSecond;
    }

    public void add(LogDir logDir) {
        logDirs.add(logDir);
    }

    /** Of all segments whose log directory is here, on whichever device they are. */
    public ReadStats counts() {
        return counts;
    }

    /** The present pace of the copies to it. */
    public long copyBytesPerSecond() {
        return copyBytesPerSecond;
    }

    public void copyBytesPerSecond(long bytesPerSecond) {
        copyBytesPerSecond = bytesPerSecond;
    }

    /** How much its SSDs need to be relieved, from 0 to 1: as much as the one that needs it most. */
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

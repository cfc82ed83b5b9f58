/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.core.DeviceId;
import io.evenkeel.flush.DirtyLog;
import io.evenkeel.flush.FlushRates;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.Pacer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forces the dirty logs of one log directory. Thread safe.
 *
 * <p>With the SSD tier, what is in it may be on another disk, behind links. Each disk has a worker and a ceiling of its
 * own, so that what waits for one is not queued behind what waits for another.
 */
final class LogDirFlusher {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");

    private final String path;
    private final FlushCounts counts = new FlushCounts();
    private final Handlers handlers;
    private final FlushSettings settings;
    private final Supplier<FlushRates> rates;
    private final DeviceCeilings ceilings;
    private final boolean syncs;
    private final Object ownDevice;
    private final Map<Object, DeviceFlusher> devices = new ConcurrentHashMap<>();
    private volatile boolean started;
    private volatile boolean failed;

    /**
     * @param settings only the bounds of them
     * @param rates those in force
     * @param handlers that appends to it may hold
     * @param ceilings of all disks
     * @param syncs whether disks are to be synced, to keep the kernel's own writeback away
     */
    LogDirFlusher(
            String path,
            FlushSettings settings,
            Supplier<FlushRates> rates,
            Handlers handlers,
            DeviceCeilings ceilings,
            boolean syncs) {
        this.path = path;
        this.handlers = handlers;
        this.settings = settings;
        this.rates = rates;
        this.ceilings = ceilings;
        this.syncs = syncs;
        this.ownDevice = DeviceId.of(Path.of(path), path);
    }

    /** Until then what is dirty only gathers. */
    synchronized void start() {
        started = true;
        devices.values().forEach(DeviceFlusher::start);
    }

    /** Who forces what is on the disk of this file, which is in the log directory, or linked there. */
    DeviceFlusher flusherOf(Path file) {
        Object device = DeviceId.of(file, ownDevice);
        DeviceFlusher known = devices.get(device);
        return known == null ? begin(device) : known;
    }

    private synchronized DeviceFlusher begin(Object device) {
        DeviceFlusher known = devices.get(device);
        if (known != null) {
            return known;
        }
        String name = "evenkeel-flush " + path + (device.equals(ownDevice) ? "" : " (linked)");
        Pacer<PacedLog> pacer = new Pacer<>(settings);
        if (!syncs) {
            pacer.doNotSync();
        }
        DeviceFlusher begun = new DeviceFlusher(name, this, pacer, rates, ceilings.of(device));
        devices.put(device, begun);
        if (started) {
            begun.start();
        }
        return begun;
    }

    FlushCounts counts() {
        return counts;
    }

    Handlers handlers() {
        return handlers;
    }

    /** Whether the caller is a force of this. */
    boolean isForcing() {
        return devices.values().stream().anyMatch(DeviceFlusher::isForcing);
    }

    /** The rates have changed. */
    void look() {
        devices.values().forEach(DeviceFlusher::look);
    }

    /** Forces a log; answers whether the log directory can still be used. */
    boolean force(PacedLog log, DirtyLog.Pending pending) {
        if (failed) {
            return false;
        }
        long beginNanos = System.nanoTime();
        try {
            long bytes = log.force();
            if (bytes > 0) {
                long tookNanos = System.nanoTime() - beginNanos;
                counts.forces.increment();
                counts.forcedBytes.add(bytes);
                counts.forceNanos.add(tookNanos);
                counts.longestForceNanos.accumulate(tookNanos);
                counts.turnWaitNanos.add(Math.max(0, beginNanos - pending.sinceNanos()));
            }
            return true;
        } catch (IOException e) {
            fail(e);
            return false;
        }
    }

    private void fail(IOException cause) {
        failed = true;
        LOG.error("Nothing is forced by rate any more in {}, until the broker is restarted", path, cause);
        devices.values().forEach(DeviceFlusher::fail);
    }

    boolean hasFailed() {
        return failed;
    }

    FlushSnapshot snapshot(long nowNanos) {
        long bytes = 0;
        long most = 0;
        long oldest = 0;
        double planned = 0;
        for (DeviceFlusher device : devices.values()) {
            planned += device.plannedBytesPerSecond();
            for (PacedLog log : device.dirty()) {
                DirtyLog.Pending pending = log.dirty().pending();
                if (pending != null) {
                    bytes += pending.bytes();
                    most = Math.max(most, pending.bytes());
                    oldest = Math.max(oldest, nowNanos - pending.sinceNanos());
                }
            }
        }
        return new FlushSnapshot(
                bytes,
                most,
                oldest,
                counts.highestBytes.get(),
                counts.highestSpanNanos.get(),
                (long) planned,
                counts.forces.sum(),
                counts.forcedBytes.sum(),
                counts.forceNanos.sum(),
                counts.longestForceNanos.get(),
                counts.turnWaitNanos.sum(),
                counts.escapes.sum(),
                counts.syncs.sum(),
                counts.waitingAppends.sum(),
                counts.appendWaits.sum(),
                counts.appendWaitNanos.sum(),
                counts.refusedAppends.sum(),
                counts.putOffAppends.sum(),
                failed ? 1 : 0);
    }
}

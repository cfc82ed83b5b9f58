/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.core.DeviceId;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.UnflushedLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flushes the logs of one log directory. Thread safe.
 *
 * <p>With the SSD tier, a segment of the log directory may be on another disk, behind a link. Each disk has a worker
 * and a ceiling of its own, so that flushes to one disk do not queue behind flushes to another.
 */
public final class LogDirFlusher {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");

    private final String path;
    private final Supplier<FlushSettings> settings;
    private final FlushCounts counts;
    private final DeviceCeilings ceilings;
    private final KernelWriteback kernel;
    private final BoundsReport bounds;
    private final Object ownDevice;
    private final Map<Object, DeviceFlusher> devices = new ConcurrentHashMap<>();
    private volatile boolean started;
    private volatile boolean failed;
    private boolean lacksThread;

    /**
     * @param settings the current ones
     * @param counts of the broker
     * @param ceilings of all disks
     * @param kernel whose own writeback workers prevent with syncfs
     */
    public LogDirFlusher(
            String path,
            Supplier<FlushSettings> settings,
            FlushCounts counts,
            DeviceCeilings ceilings,
            KernelWriteback kernel) {
        this.path = path;
        this.settings = settings;
        this.counts = counts;
        this.ceilings = ceilings;
        this.kernel = kernel;
        this.bounds = new BoundsReport(path, counts);
        this.ownDevice = DeviceId.of(Path.of(path), path);
    }

    /** Starts the workers. Until then unflushed bytes only gather. */
    public synchronized void start() {
        started = true;
        devices.values().forEach(DeviceFlusher::start);
    }

    /**
     * The worker for the disk of this file, which is in the log directory or behind a link in it.
     *
     * @throws OutOfMemoryError when a thread cannot be started
     */
    public DeviceFlusher flusherOf(Path file) {
        Object device = DeviceId.of(file, ownDevice);
        DeviceFlusher known = devices.get(device);
        return known == null ? begin(device, file) : known;
    }

    private synchronized DeviceFlusher begin(Object device, Path file) {
        DeviceFlusher known = devices.get(device);
        if (known != null) {
            return known;
        }
        String name = "evenkeel-flush " + path + (device.equals(ownDevice) ? "" : " (linked)");
        boolean isShared = !OwnFileSystem.holds(device.equals(ownDevice) ? Path.of(path) : file);
        if (isShared && maySync()) {
            LOG.warn(
                    "{} is on the root file system, or on a directory of another file system that is mounted there."
                            + " Flushing by rate does not sync that. So the kernel writes dirty pages in bursts, each"
                            + " time that vm.dirty_expire_centisecs is over. Give the log directory a file system of"
                            + " its own, or set the expiry to an hour: sysctl -w vm.dirty_expire_centisecs=360000",
                    path);
        }
        DeviceFlusher begun =
                new DeviceFlusher(name, this, settings, () -> !isShared && maySync(), ceilings.of(device));
        if (started) {
            start(begun);
        }
        devices.put(device, begun);
        return begun;
    }

    private void start(DeviceFlusher begun) {
        try {
            begun.start();
        } catch (OutOfMemoryError noThread) {
            if (!lacksThread) {
                lacksThread = true;
                LOG.error(
                        "No thread can be started, so nothing is flushed by rate in {}. The next append tries again."
                                + " Raise the limit on threads of the broker's user or container.",
                        path,
                        noThread);
            }
            throw noThread;
        }
    }

    public FlushCounts counts() {
        return counts;
    }

    private boolean maySync() {
        FlushSettings now = settings.get();
        return now.syncfs() && !now.isShadow() && kernel.interferes(now);
    }

    /** Makes the workers use changed settings. */
    public void settingsChanged() {
        devices.values().forEach(DeviceFlusher::wake);
    }

    /** Flushes a log; answers whether the log directory can still be used. */
    boolean flush(PacedLog log, UnflushedLog.Pending pending) {
        if (failed) {
            return false;
        }
        long beginNanos = System.nanoTime();
        try {
            long bytes = log.flush();
            if (bytes != PacedLog.NOTHING) {
                long tookNanos = System.nanoTime() - beginNanos;
                counts.increment(FlushCounter.FLUSHES);
                counts.add(FlushCounter.FLUSHED_BYTES, bytes);
                counts.add(FlushCounter.FLUSH_NANOS, tookNanos);
                counts.add(FlushCounter.LONGEST_FLUSH_NANOS, tookNanos);
                counts.add(FlushCounter.TURN_WAIT_NANOS, Math.max(0, beginNanos - pending.sinceNanos()));
            }
            return true;
        } catch (IOException e) {
            fail(e);
            return false;
        } catch (RuntimeException e) {
            LOG.error(
                    "The flush of {} failed, but not because of its disk. It is not flushed by rate until the next"
                            + " start; Kafka flushes it when it rolls a segment. Please report this.",
                    log.name(),
                    e);
            log.retire();
            return true;
        }
    }

    /** Counts a log that has come to exceed a bound, and warns now and then. */
    public void reportIfItExceeds(PacedLog log, DeviceFlusher by, FlushSettings current, long nowNanos) {
        if (!log.unflushed().beginsToExceed(current, nowNanos)) {
            return;
        }
        UnflushedLog.Pending pending = log.unflushed().pending();
        if (pending != null) {
            bounds.exceeded(log, pending, current, by.cause(nowNanos), nowNanos);
        }
    }

    private void fail(IOException cause) {
        failed = true;
        LOG.error(
                "A flush failed in {}. Flushing by rate has stopped in this log directory. Check the disk, then "
                        + "restart the broker.",
                path,
                cause);
        devices.values().forEach(DeviceFlusher::fail);
    }

    boolean hasFailed() {
        return failed;
    }

    /** Adds up what is still to be flushed in this log directory. */
    public FlushBacklog backlog(long nowNanos) {
        return devices.values().stream()
                .map(device -> device.backlog(nowNanos))
                .reduce(new FlushBacklog(0, 0, 0, 0, failed ? 1 : 0), FlushBacklog::plus);
    }
}

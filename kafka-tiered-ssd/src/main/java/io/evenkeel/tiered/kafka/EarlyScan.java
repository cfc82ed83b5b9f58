/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.disk.LogDirLocks;
import io.evenkeel.tiered.recovery.DiskScan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A scan of a broker's disks on a thread of its own, under the locks of its log directories: until it is closed no
 * other process can change the files that it has read. Kafka takes the locks itself, but only after the tier has
 * started. Not thread safe.
 */
final class EarlyScan implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");

    private final List<LogDirMeta> logDirs;
    private final List<Path> ssdDirs;
    private final LogDirLocks locks = new LogDirLocks("stop it first. Nothing has been changed.");
    private final List<LogDirMeta> locked = new ArrayList<>();
    private final FutureTask<DiskScan> scan;

    private EarlyScan(List<LogDirMeta> logDirs, List<Path> ssdDirs) {
        this.logDirs = logDirs;
        this.ssdDirs = ssdDirs;
        this.scan = new FutureTask<>(() -> DiskScan.read(locked, ssdDirs));
    }

    /**
     * Takes the locks and begins the scan.
     *
     * @throws LogDirLocks.InUseException when another process has locked one of the log directories
     */
    static EarlyScan begin(List<LogDirMeta> logDirs, List<Path> ssdDirs) throws IOException {
        EarlyScan begun = new EarlyScan(logDirs, ssdDirs);
        try {
            for (LogDirMeta logDir : logDirs) {
                begun.lock(logDir);
            }
        } catch (IOException e) {
            begun.locks.close();
            throw e;
        }
        Thread thread = new Thread(begun.scan, "evenkeel-tiered scan");
        thread.setDaemon(true);
        thread.start();
        return begun;
    }

    private void lock(LogDirMeta logDir) throws IOException {
        try {
            locks.take(logDir.path());
            locked.add(logDir);
        } catch (LogDirLocks.InUseException e) {
            throw e;
        } catch (IOException e) {
            LOG.warn(
                    "Could not lock a log directory; the SSD tier leaves it out, as Kafka will. file={} {}",
                    logDir.path(),
                    e.toString());
        }
    }

    /** The log directories that it has locked. */
    List<LogDirMeta> locked() {
        return List.copyOf(locked);
    }

    /** True when it scans exactly these directories. */
    boolean covers(List<LogDirMeta> logDirs, List<Path> ssdDirs) {
        return this.logDirs.equals(logDirs) && this.ssdDirs.equals(ssdDirs);
    }

    /**
     * Waits for the end of the scan.
     *
     * @throws IOException when a directory cannot be read
     */
    DiskScan result() throws IOException {
        try {
            return scan.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the disks were scanned", e);
        }
    }

    /** Releases the locks. */
    @Override
    public void close() throws IOException {
        locks.close();
    }
}

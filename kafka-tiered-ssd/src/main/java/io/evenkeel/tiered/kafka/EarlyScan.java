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
 * A look at a broker's disks on a thread of its own, under the locks of its log directories: until it is closed nobody
 * else can change what it saw. Kafka takes the locks itself, but only after the tier has started. Not thread safe.
 */
final class EarlyScan implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");

    private final List<LogDirMeta> logDirs;
    private final List<Path> ssdDirs;
    private final LogDirLocks locks = new LogDirLocks("stop it first. Nothing has been changed.");
    private final List<LogDirMeta> locked = new ArrayList<>();
    private final FutureTask<DiskScan> found;

    private EarlyScan(List<LogDirMeta> logDirs, List<Path> ssdDirs) {
        this.logDirs = logDirs;
        this.ssdDirs = ssdDirs;
        this.found = new FutureTask<>(() -> DiskScan.read(locked, ssdDirs));
    }

    /**
     * Begins to look.
     *
     * @throws LogDirLocks.InUseException when another process has one of the log directories
     */
    static EarlyScan begin(List<LogDirMeta> logDirs, List<Path> ssdDirs) throws IOException {
        EarlyScan look = new EarlyScan(logDirs, ssdDirs);
        try {
            for (LogDirMeta logDir : logDirs) {
                look.lock(logDir);
            }
        } catch (IOException e) {
            look.locks.close();
            throw e;
        }
        Thread thread = new Thread(look.found, "evenkeel-tiered look");
        thread.setDaemon(true);
        thread.start();
        return look;
    }

    private void lock(LogDirMeta logDir) throws IOException {
        try {
            locks.take(logDir.path());
            locked.add(logDir);
        } catch (LogDirLocks.InUseException e) {
            throw e;
        } catch (IOException e) {
            LOG.warn(
                    "The SSD tier leaves out a log directory whose lock cannot be taken, as Kafka will: {} ({})",
                    logDir.path(),
                    e.toString());
        }
    }

    /** Those it has the locks of. */
    List<LogDirMeta> locked() {
        return List.copyOf(locked);
    }

    /** True when it is a look at just these. */
    boolean isAt(List<LogDirMeta> logDirs, List<Path> ssdDirs) {
        return this.logDirs.equals(logDirs) && this.ssdDirs.equals(ssdDirs);
    }

    /**
     * Waits for what it sees.
     *
     * @throws IOException when a directory cannot be read
     */
    DiskScan found() throws IOException {
        try {
            return found.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while the disks were looked at", e);
        }
    }

    /** Gives the locks back. */
    @Override
    public void close() throws IOException {
        locks.close();
    }
}

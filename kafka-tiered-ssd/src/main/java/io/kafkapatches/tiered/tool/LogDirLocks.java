/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.tool;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.kafkapatches.tiered.LogDirIdentity;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;

/**
 * The locks by which a broker has its log directories to itself: as long as they are held here, none can start. Not thread
 * safe.
 */
final class LogDirLocks implements AutoCloseable {
    private static final String NAME = ".lock";

    private final List<FileChannel> held = new ArrayList<>();

    private LogDirLocks() {}

    /**
     * Takes the locks of all log directories.
     *
     * @throws IOException when a broker has one of them
     */
    static LogDirLocks take(List<LogDirIdentity> logDirs) throws IOException {
        LogDirLocks locks = new LogDirLocks();
        try {
            for (LogDirIdentity logDir : logDirs) {
                locks.take(logDir.path());
            }
            return locks;
        } catch (IOException e) {
            locks.close();
            throw e;
        }
    }

    private void take(Path logDir) throws IOException {
        Path file = logDir.resolve(NAME);
        FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
        held.add(channel);
        if (!isTaken(channel)) {
            throw new IOException(
                    "A broker runs on " + logDir + ": stop it, or drain it while it runs with --bootstrap-server");
        }
        // If this is killed, the file stays, and the broker has to be able to open it.
        UserPrincipal owner = Files.getOwner(logDir);
        if (!Files.getOwner(file).equals(owner)) {
            Files.setOwner(file, owner);
        }
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // by another part of this process
        }
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : held) {
            channel.close(); // and with it its lock
        }
    }
}

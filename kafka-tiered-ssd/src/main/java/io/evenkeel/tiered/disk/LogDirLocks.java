/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.tiered.api.LogDirMeta;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;

/**
 * The lock files by which a broker has its log directories to itself: while this holds them, no broker can load a log.
 * Not thread safe.
 */
public final class LogDirLocks implements AutoCloseable {
    private static final String NAME = ".lock";

    /** Another process has the lock of a log directory. */
    public static final class InUseException extends IOException {
        private static final long serialVersionUID = 1L;

        InUseException(Path logDir, String remedy) {
            super("A broker runs on " + logDir + ": " + remedy);
        }
    }

    private final String remedy;
    private final List<FileChannel> held = new ArrayList<>();
    private final List<Path> made = new ArrayList<>();

    /** @param remedy what to do when a broker has one of them, for the message */
    public LogDirLocks(String remedy) {
        this.remedy = remedy;
    }

    /**
     * Takes the locks of all log directories, for a process that may run as another user than the broker.
     *
     * @param remedy what to do when a broker has one of them, for the message
     * @throws InUseException when a broker has one of them
     */
    public static LogDirLocks take(List<LogDirMeta> logDirs, String remedy) throws IOException {
        LogDirLocks locks = new LogDirLocks(remedy);
        try {
            for (LogDirMeta logDir : logDirs) {
                locks.take(logDir.path());
                leaveToOwner(logDir.path());
            }
            return locks;
        } catch (IOException e) {
            locks.close();
            throw e;
        }
    }

    /**
     * Takes the lock of one more log directory.
     *
     * @throws InUseException when a broker has it
     */
    public void take(Path logDir) throws IOException {
        Path file = logDir.resolve(NAME);
        boolean isThere = Files.exists(file);
        FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
        held.add(channel);
        if (!isTaken(channel)) {
            throw new InUseException(logDir, remedy);
        }
        if (!isThere) {
            made.add(file);
        }
    }

    /** If this process is killed, the file stays, and the broker has to be able to open it. */
    private static void leaveToOwner(Path logDir) throws IOException {
        Path file = logDir.resolve(NAME);
        UserPrincipal owner = Files.getOwner(logDir);
        if (!Files.getOwner(file).equals(owner)) {
            Files.setOwner(file, owner);
        }
    }

    private static boolean isTaken(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // another part of this process has it
        }
    }

    /** Leaves the directories as they were: a lock file of another user would surprise the operator. */
    @Override
    public void close() throws IOException {
        try {
            for (Path file : made) {
                Files.deleteIfExists(file); // while it is still ours
            }
        } finally {
            made.clear();
            for (FileChannel channel : held) {
                channel.close(); // and with it its lock
            }
        }
    }
}

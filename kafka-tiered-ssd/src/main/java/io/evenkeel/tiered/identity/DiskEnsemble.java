/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The SSDs and log directories of one broker, held together by their identity files. Not thread safe.
 *
 * <p>Each start of the broker is a new generation, which is written into every identity file: first on the SSDs, then
 * in the log directories. So an SSD whose generation is older than a log directory's has missed a start, and the file
 * that a link points to there is an old version, or missing. Last, each SSD notes which log directories have completed
 * the start. So a log directory whose generation is older than that note is an older image. {@link DiskVerdict}
 * decides; this class reads and writes.
 */
public final class DiskEnsemble {
    private final FileOps files;
    private final SeenDisks seen;
    private final DiskVerdict verdict;
    private final Set<String> problems;
    private final Set<Path> touched = new LinkedHashSet<>();
    private final List<IdentityWrite> prepared = new ArrayList<>();
    private final Map<Path, String> logDirIds = new LinkedHashMap<>();
    private long generation;

    /** Reads the identity files; changes nothing. */
    public DiskEnsemble(FileOps files, List<Path> ssdDirs, List<LogDirMeta> dirs) {
        this.files = files;
        this.seen = SeenDisks.read(files, ssdDirs, dirs);
        this.verdict = DiskVerdict.of(seen);
        dirs.forEach(dir -> logDirIds.put(dir.path(), dir.directoryId()));
        this.problems = new LinkedHashSet<>(verdict.problems());
    }

    /** The problems of the directories themselves, independent of the links. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** The SSD at a path; null when that is a problem. */
    @Nullable
    public SsdIdentity ssd(Path path) {
        return seen.ssds().get(path);
    }

    /** Why a link from a log directory to an SSD cannot be trusted; null when it can. */
    @Nullable
    public LinkFault fault(Path logDir, Path ssdDir) {
        return verdict.fault(logDir, ssdDir);
    }

    /** The SSD directory that {@code target} is in and that a log directory remembers; null when there is none. */
    @Nullable
    public Path remembered(Path logDir, Path target) {
        KnownSsds known = seen.logDirs().get(logDir);
        return known == null
                ? null
                : known.ssdIds().keySet().stream()
                        .filter(target::startsWith)
                        .findFirst()
                        .orElse(null);
    }

    /**
     * Writes the identity files of a new generation beside the present ones. An SSD that cannot be written to is a
     * problem. A full SSD must not keep a broker from starting: if it took part in the last start, the generation
     * stays.
     */
    public void prepare(TierListener listener) {
        generation = verdict.generation() + 1;
        List<IdentityWrite> writes = verdict.writes(generation);
        if (!prepareSsds(writes)) {
            withdraw(listener);
            generation = verdict.generation();
            writes = verdict.writes(generation);
            prepareSsds(writes);
        }
        writes.stream().filter(write -> !write.kind().isOnSsd()).forEach(write -> prepareLogDir(write, listener));
    }

    /** False when a file cannot be renewed for lack of space, and need not be. */
    private boolean prepareSsds(List<IdentityWrite> writes) {
        boolean hasRoom = true;
        for (IdentityWrite write : writes) {
            if (!write.kind().isOnSsd()) {
                continue;
            }
            try {
                touched.add(write.dir());
                write.file().prepare(files, write.dir());
                prepared.add(write);
            } catch (IOException e) {
                // Files.isWritable detects a read-only file system even when root asks
                boolean full = Files.isWritable(write.dir()) && files.isOutOfSpace(write.dir(), e);
                if (full && write.kind() == IdentityWrite.Kind.ADVANCE) {
                    hasRoom = false;
                } else {
                    problems.add("The broker cannot write to " + write.dir() + " (" + e
                            + "); check its owner, its mode, and whether the file system is full or mounted"
                            + " read-only. If the SSD is worn out and only lets itself be read, move its segments to"
                            + " the HDDs with the tool's command drain --offline, then replace it.");
                }
            }
        }
        return hasRoom;
    }

    private void prepareLogDir(IdentityWrite write, TierListener listener) {
        try {
            write.file().prepare(files, write.dir());
            touched.add(write.dir());
            prepared.add(write);
        } catch (IOException e) {
            listener.leftAsItIs(write.dir().resolve(IdentityFile.FILE_NAME), e);
        }
    }

    /**
     * Renames the new identity files over the present ones, and notes on the SSDs which log directories have theirs.
     */
    public void publish(TierListener listener) throws IOException {
        List<String> completed = new ArrayList<>();
        for (IdentityWrite write : prepared) {
            switch (write.kind()) {
                case CLAIM -> listener.ssdClaimed(write.dir(), false);
                case REPLACE -> listener.ssdClaimed(write.dir(), true);
                default -> {}
            }
            try {
                IdentityFile.publish(files, write.dir());
                if (!write.kind().isOnSsd()) {
                    completed.add(Objects.requireNonNull(logDirIds.get(write.dir()), "not one of the log directories"));
                }
            } catch (IOException e) {
                if (write.kind().isOnSsd()) {
                    throw e;
                }
                listener.leftAsItIs(write.dir().resolve(IdentityFile.FILE_NAME), e);
            }
        }
        if (!completed.isEmpty()) {
            noteOnSsds(completed, listener);
        }
    }

    /** Comes last: a kill before leaves log directories that look older than the SSDs, but nothing was written yet. */
    private void noteOnSsds(List<String> completed, TierListener listener) {
        for (SsdIdentity ssd : seen.ssds().values()) {
            if (!ssd.isThere()) {
                continue;
            }
            SsdIdentity started = ssd.startedWith(completed, generation);
            try {
                started.file(seen.broker(), generation).prepare(files, ssd.path());
                IdentityFile.publish(files, ssd.path());
            } catch (IOException e) {
                listener.leftAsItIs(ssd.path().resolve(IdentityFile.FILE_NAME), e);
            }
        }
    }

    /** Undoes {@link #prepare}. */
    public void withdraw(TierListener listener) {
        for (Path dir : touched) {
            try {
                IdentityFile.withdraw(files, dir);
            } catch (IOException e) {
                listener.leftAsItIs(dir.resolve(IdentityFile.TEMPORARY_NAME), e);
            }
        }
        touched.clear();
        prepared.clear();
    }

    /**
     * Writes the identity files that are missing: a drain removes them.
     *
     * @param failed gets each directory whose file cannot be written; the others get theirs all the same
     */
    public void claim(BiConsumer<Path, IOException> failed) {
        for (Map.Entry<Path, IdentityFile> file : verdict.files(generation).entrySet()) {
            Path dir = file.getKey();
            try {
                if (!Files.exists(dir.resolve(IdentityFile.FILE_NAME))) {
                    file.getValue().prepare(files, dir);
                    IdentityFile.publish(files, dir);
                }
            } catch (IOException e) {
                failed.accept(dir, e);
            }
        }
    }

    /** The files that a start would write, one a line. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("generation " + verdict.generation());
        verdict.writes(verdict.generation() + 1)
                .forEach(write -> text.append("\n").append(write));
        return text.toString();
    }
}

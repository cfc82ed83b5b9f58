/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The SSDs and log directories of one broker, held together by their identity files. Not thread safe, but for
 * {@link #claim} and {@link #release}, which exclude each other.
 *
 * <p>Each start of the broker is a new generation, which is written into every identity file: first on the SSDs, then
 * in the log directories. So an SSD whose generation is older than a log directory's has missed a start, and the file
 * that a link points to there is an old version, or missing. At the end, each SSD learns which log directories have the
 * new generation. So a log directory with an older one is an old image: links to the newest files on the SSD are
 * missing there. {@link DiskVerdict} decides; this class reads and writes.
 */
public final class DiskEnsemble {
    private final FileOps files;
    private final SeenDisks seen;
    private final DiskVerdict verdict;
    private final Set<String> problems;
    private final Set<Path> touched = new LinkedHashSet<>();
    private final List<IdentityWrite> prepared = new ArrayList<>();
    private long generation;

    /** Reads the identity files; changes nothing. */
    public DiskEnsemble(FileOps files, List<Path> ssdDirs, List<LogDirMeta> dirs) {
        this.files = files;
        this.seen = SeenDisks.read(files, ssdDirs, dirs);
        this.verdict = DiskVerdict.of(seen);
        this.problems = new LinkedHashSet<>(verdict.problems());
    }

    /** The problems of the directories themselves, independent of the links. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** Why a log directory is older than the SSDs, by its path; empty when none is. */
    public Map<Path, String> olderLogDirs() {
        return verdict.olderLogDirs();
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
                    cannotWrite(write.dir(), e.toString());
                }
            }
        }
        return hasRoom;
    }

    /** Finds out whether {@link #prepare} could write to the SSDs, without writing. */
    public void checkWritable() {
        for (SsdIdentity ssd : seen.ssds().values()) {
            if (ssd.isThere() && !Files.isWritable(ssd.path())) {
                cannotWrite(ssd.path(), "this user or nobody may");
            }
        }
    }

    private void cannotWrite(Path ssd, String why) {
        problems.add("The broker cannot write to " + ssd + " (" + why
                + "); check its owner, its mode, and whether the file system is full or mounted read-only. If the SSD"
                + " has failed, take its segments to the HDD with TieredSsdTool drain --offline, which needs to read it"
                + " only; then replace it.");
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

    /** Renames the new identity files over the present ones. */
    public void publish(TierListener listener) throws IOException {
        Set<Path> published = new HashSet<>();
        for (IdentityWrite write : prepared) {
            switch (write.kind()) {
                case CLAIM -> listener.ssdClaimed(write.dir(), false);
                case REPLACE -> listener.ssdClaimed(write.dir(), true);
                default -> {}
            }
            try {
                IdentityFile.publish(files, write.dir());
                published.add(write.dir());
            } catch (IOException e) {
                if (write.kind().isOnSsd()) {
                    throw e;
                }
                listener.leftAsItIs(write.dir().resolve(IdentityFile.FILE_NAME), e);
            }
        }
        verdict.confirmed(generation, published).forEach((ssd, file) -> confirm(ssd, file, listener));
    }

    /** Without it, the SSD does not recognise a log directory that is one start older; the next start writes it. */
    private void confirm(Path ssd, IdentityFile file, TierListener listener) {
        try {
            file.prepare(files, ssd);
            IdentityFile.publish(files, ssd);
        } catch (IOException e) {
            listener.leftAsItIs(ssd.resolve(IdentityFile.FILE_NAME), e);
            withdraw(ssd, listener);
        }
    }

    /** Undoes {@link #prepare}. */
    public void withdraw(TierListener listener) {
        touched.forEach(dir -> withdraw(dir, listener));
        touched.clear();
        prepared.clear();
    }

    private void withdraw(Path dir, TierListener listener) {
        try {
            IdentityFile.withdraw(files, dir);
        } catch (IOException e) {
            listener.leftAsItIs(dir.resolve(IdentityFile.TEMPORARY_NAME), e);
        }
    }

    /**
     * Writes the identity files that are missing, because a drain has released the SSDs.
     *
     * @param then what makes the tier use the SSDs again; no release comes between
     * @param failed gets each directory whose file cannot be written; the others get theirs all the same
     */
    public synchronized void claim(Runnable then, BiConsumer<Path, IOException> failed) {
        for (Map.Entry<Path, IdentityFile> file :
                verdict.filesOfEmptySsds(generation).entrySet()) {
            Path dir = file.getKey();
            try {
                if (!Files.exists(dir.resolve(IdentityFile.FILE_NAME))) {
                    file.getValue().prepare(files, dir);
                    IdentityFile.publish(files, dir);
                }
            } catch (IOException e) {
                unclaim(dir, e);
                failed.accept(dir, e);
            }
        }
        then.run();
    }

    /** The next claim begins with a new file: after a failed fsync, no later one of the same file is trusted. */
    private void unclaim(Path dir, IOException failure) {
        try {
            IdentityFile.withdraw(files, dir);
            files.deleteIfExists(dir.resolve(IdentityFile.FILE_NAME));
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * Removes empty directories from the SSDs and, when nothing is left on any of them, the identity files. They go
     * last, also after a power cut: an SSD with data but without an identity file counts as foreign.
     *
     * <p>Requires: no segment is on an SSD, and none is placed there until the next {@link #claim}.
     *
     * @param isWanted asked under the same lock that {@link #claim} takes
     * @return what is left, so that the identity files stay; null when the release is no longer wanted
     */
    public synchronized @Nullable SsdRemainder release(BooleanSupplier isWanted) throws IOException {
        if (!isWanted.getAsBoolean()) {
            return null;
        }
        List<Path> ssds = seen.ssds().values().stream()
                .filter(SsdIdentity::isThere)
                .map(SsdIdentity::path)
                .toList();
        Set<String> known = new HashSet<>();
        seen.ssds().values().forEach(ssd -> known.addAll(ssd.logDirs().keySet()));
        SsdRemainder left =
                SsdRemainder.of(files, ssds, Set.copyOf(seen.directoryIds().values()), known);
        if (left.isEmpty()) {
            for (Path ssd : ssds) {
                files.deleteIfExists(ssd.resolve(IdentityFile.TEMPORARY_NAME));
                files.fsyncDirectory(ssd);
            }
            for (Path ssd : ssds) {
                files.deleteIfExists(ssd.resolve(IdentityFile.FILE_NAME));
            }
            for (Path logDir : seen.logDirs().keySet()) {
                files.deleteIfExists(logDir.resolve(IdentityFile.FILE_NAME));
            }
        }
        return left;
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

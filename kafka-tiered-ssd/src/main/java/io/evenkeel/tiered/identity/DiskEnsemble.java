/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The marks of a broker's SSDs and log directories, held against one another. Not thread safe.
 *
 * <p>Each start of the broker is a new generation, which is written into every mark: first on the SSDs, then on the log
 * directories. So an SSD whose generation is older than a log directory's has missed a start, and what a link promises
 * there is an old version of it, if it is there at all.
 */
public final class DiskEnsemble {
    private final FileOps files;
    private final LogDirMeta broker;
    private final Map<Path, SsdIdentity> ssds = new LinkedHashMap<>();
    private final Map<Path, KnownSsds> logDirs = new LinkedHashMap<>();
    private final Set<Path> prepared = new LinkedHashSet<>();
    private final Set<String> problems = new LinkedHashSet<>();
    private long generation;

    /** Reads what is there; changes nothing. */
    public DiskEnsemble(FileOps files, List<Path> ssdDirs, List<LogDirMeta> dirs) {
        this.files = files;
        this.broker = dirs.get(0);
        for (Path ssd : ssdDirs) {
            try {
                ssds.put(ssd, SsdIdentity.read(ssd, broker));
            } catch (IOException e) {
                problems.add(e instanceof FileSystemException ? ssd + " cannot be read (" + e + ")." : e.getMessage());
            }
        }
        for (LogDirMeta dir : dirs) {
            try {
                logDirs.put(dir.path(), KnownSsds.read(dir.path()));
            } catch (IOException e) {
                problems.add("The log directory " + dir.path() + " cannot be read (" + e + ").");
            }
        }
        requireDistinctIds();
        requireMounted();
    }

    /** What is wrong with the directories, whatever the links promise. */
    public List<String> problems() {
        return List.copyOf(problems);
    }

    /** What is at the path of an SSD; null when that is a problem. */
    @Nullable
    public SsdIdentity ssd(Path path) {
        return ssds.get(path);
    }

    /** Why what a link in a log directory promises on an SSD cannot be relied upon; null when it can. */
    @Nullable
    public LinkFault doubt(Path logDir, Path ssdDir) {
        SsdIdentity ssd = ssds.get(ssdDir);
        KnownSsds memory = logDirs.get(logDir);
        if (ssd == null || memory == null) {
            return LinkFault.PROBLEM;
        }
        if (!ssd.isThere()) {
            return LinkFault.MISSING;
        }
        if (ssd.condition() == SsdIdentity.Condition.BLANK) {
            return isUnmounted(ssd) ? LinkFault.PROBLEM : LinkFault.BLANK;
        }
        if (ssd.generation() < memory.generation()) {
            return LinkFault.STALE;
        }
        String expected = memory.ssdIds().get(ssdDir);
        boolean swapped = expected != null
                && !expected.equals(ssd.id())
                && memory.ssdIds().containsValue(ssd.id());
        return swapped ? LinkFault.SWAPPED : null;
    }

    /**
     * The directory of an SSD that {@code target} is in and that a log directory remembers; null when there is none.
     */
    @Nullable
    public Path remembered(Path logDir, Path target) {
        KnownSsds memory = logDirs.get(logDir);
        return memory == null
                ? null
                : memory.ssdIds().keySet().stream()
                        .filter(target::startsWith)
                        .findFirst()
                        .orElse(null);
    }

    /** True when some log directory has used an SSD at this path that is not there any more. */
    boolean isReplaced(SsdIdentity ssd) {
        return logDirs.values().stream().anyMatch(memory -> {
            String before = memory.ssdIds().get(ssd.path());
            return before != null && !before.equals(ssd.id());
        });
    }

    /**
     * Writes the marks of a new generation beside those of the old one. An SSD that cannot be written to is a problem;
     * of a log directory it is Kafka's to say so, and its old mark will do.
     */
    public void prepare(TierListener listener) {
        long newest = Stream.concat(
                        ssds.values().stream().map(SsdIdentity::generation),
                        logDirs.values().stream().map(KnownSsds::generation))
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        generation = newest + 1;
        if (!prepareSsds()) {
            withdraw(listener);
            generation = newest; // an SSD is full, which must not keep a broker from starting
            prepareSsds();
        }
        KnownSsds memory = memory();
        logDirs.forEach((logDir, before) -> {
            if (!memory.equals(before)) {
                prepareLogDir(logDir, memory, listener);
            }
        });
    }

    /** False when the mark of an SSD cannot be renewed for lack of space. */
    private boolean prepareSsds() {
        boolean hasRoom = true;
        for (SsdIdentity ssd : ssds.values()) {
            boolean ours = ssd.condition() == SsdIdentity.Condition.OURS;
            if (!ssd.isThere() || (ours && ssd.generation() == generation)) {
                continue;
            }
            try {
                prepared.add(ssd.path());
                ssd.mark(broker, generation).prepare(files, ssd.path());
            } catch (IOException e) {
                // Files.isWritable knows of a read-only file system even when root asks
                boolean full = Files.isWritable(ssd.path()) && files.isOutOfSpace(ssd.path(), e);
                if (full && ours && ssd.generation() == generation - 1) {
                    hasRoom = false;
                } else {
                    problems.add(
                            "The broker cannot write to " + ssd.path() + " (" + e + "); check its owner, its mode, and "
                                    + "whether the file system is full or mounted read-only.");
                }
            }
        }
        return hasRoom;
    }

    private void prepareLogDir(Path logDir, KnownSsds memory, TierListener listener) {
        try {
            prepared.add(logDir);
            memory.mark().prepare(files, logDir);
        } catch (IOException e) {
            prepared.remove(logDir);
            listener.leftAsItIs(logDir.resolve(IdentityFile.FILE_NAME), e);
        }
    }

    private KnownSsds memory() {
        Map<Path, String> ids = new HashMap<>();
        ssds.values().stream().filter(SsdIdentity::isThere).forEach(ssd -> ids.put(ssd.path(), ssd.id()));
        return new KnownSsds(
                generation,
                ids,
                ids.keySet().stream().filter(this::isMountPoint).collect(Collectors.toSet()));
    }

    private boolean isMountPoint(Path dir) {
        return !files.device(dir).equals(files.device(SegmentFileName.dirOf(dir)));
    }

    /** True for an empty directory where a file system of its own used to be: what is missing there is not lost. */
    private boolean isUnmounted(SsdIdentity ssd) {
        return ssd.condition() == SsdIdentity.Condition.BLANK
                && !isMountPoint(ssd.path())
                && logDirs.values().stream()
                        .anyMatch(memory -> memory.mountPoints().contains(ssd.path()));
    }

    private void requireMounted() {
        for (SsdIdentity ssd : ssds.values()) {
            if (isUnmounted(ssd)) {
                problems.add(ssd.path()
                        + " is blank and not a mount point any more, so the SSD is not mounted. If it is lost for "
                        + "good, mount another one there, or take the directory out of " + TierSettings.DIRS + ".");
            }
        }
    }

    /** Puts the new marks in the place of the old ones. */
    public void publish(TierListener listener) throws IOException {
        for (SsdIdentity ssd : ssds.values()) {
            if (prepared.contains(ssd.path())) {
                if (ssd.condition() == SsdIdentity.Condition.BLANK) {
                    listener.ssdClaimed(ssd.path(), isReplaced(ssd));
                }
                IdentityFile.publish(files, ssd.path());
            }
        }
        for (Path logDir : logDirs.keySet()) {
            if (prepared.contains(logDir)) {
                try {
                    IdentityFile.publish(files, logDir);
                } catch (IOException e) {
                    listener.leftAsItIs(logDir.resolve(IdentityFile.FILE_NAME), e);
                }
            }
        }
    }

    /** Takes {@link #prepare} back. */
    public void withdraw(TierListener listener) {
        for (Path dir : prepared) {
            try {
                IdentityFile.withdraw(files, dir);
            } catch (IOException e) {
                listener.leftAsItIs(dir.resolve(IdentityFile.TEMPORARY_NAME), e);
            }
        }
        prepared.clear();
    }

    /** Writes the marks that are not there: a drain removes them. */
    public void claim() throws IOException {
        for (SsdIdentity ssd : ssds.values()) {
            if (ssd.isThere()) {
                writeIfAbsent(ssd.path(), ssd.mark(broker, generation));
            }
        }
        for (Path logDir : logDirs.keySet()) {
            writeIfAbsent(logDir, memory().mark());
        }
    }

    private void writeIfAbsent(Path dir, IdentityFile mark) throws IOException {
        if (!Files.exists(dir.resolve(IdentityFile.FILE_NAME))) {
            mark.prepare(files, dir);
            IdentityFile.publish(files, dir);
        }
    }

    private void requireDistinctIds() {
        Map<String, Path> seen = new HashMap<>();
        for (SsdIdentity ssd : ssds.values()) {
            Path other = seen.put(ssd.id(), ssd.path());
            if (other != null) {
                problems.add(other + " and " + ssd.path()
                        + " have the same id, so one is a copy of the other; empty the copy.");
            }
        }
    }
}

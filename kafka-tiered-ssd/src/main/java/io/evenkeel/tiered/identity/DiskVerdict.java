/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import io.evenkeel.tiered.api.TierSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The conclusions from the directories that a start has seen: their problems, which links can be trusted, and which
 * identity files to write. A pure function of {@link SeenDisks}. Immutable.
 *
 * @param generation the newest generation in any identity file; 0 when there is none
 * @param problems the problems of the directories themselves, independent of the links
 * @param olderLogDirs why a log directory is older than the SSDs, by its path; also among the problems
 */
record DiskVerdict(SeenDisks seen, long generation, List<String> problems, Map<Path, String> olderLogDirs) {
    static DiskVerdict of(SeenDisks seen) {
        long newest = Stream.concat(
                        seen.ssds().values().stream().map(SsdIdentity::generation),
                        seen.logDirs().values().stream().map(KnownSsds::generation))
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        List<String> problems = new ArrayList<>(seen.unreadable());
        problems.addAll(duplicates(seen));
        seen.ssds().values().stream()
                .filter(ssd -> isUnmounted(seen, ssd))
                .forEach(ssd -> problems.add(ssd.path()
                        + " is blank and not a mount point any more, so the SSD is not mounted. If the SSD is lost"
                        + " for good, mount another one there, or remove the directory"
                        + " from " + TierSettings.DIRS + "."));
        Map<Path, String> older = olderLogDirs(seen);
        problems.addAll(older.values());
        return new DiskVerdict(seen, newest, List.copyOf(problems), older);
    }

    /**
     * The log directories that have missed a start which an SSD and they took part in: an old image, or an old disk
     * that was mounted again. No link of theirs leads to the newest files on that SSD, which are not leftovers.
     */
    private static Map<Path, String> olderLogDirs(SeenDisks seen) {
        Map<Path, String> older = new LinkedHashMap<>();
        seen.logDirs().forEach((logDir, known) -> {
            String directoryId = seen.directoryIds().getOrDefault(logDir, "");
            for (SsdIdentity ssd : seen.ssds().values()) {
                long tookPart = ssd.logDirs().getOrDefault(directoryId, 0L);
                if (tookPart > known.generation()) {
                    older.put(
                            logDir,
                            logDir + " is older than " + ssd.path() + ": its last start with the SSD tier was "
                                    + known.generation() + ", but the SSD has files of it from start " + tookPart
                                    + ". Is it an old image, or an old disk? Mount the right disk. If that disk is"
                                    + " lost for good, move " + ssd.path().resolve(directoryId)
                                    + " elsewhere, and keep it until all records are there again.");
                }
            }
        });
        return Collections.unmodifiableMap(older);
    }

    private static List<String> duplicates(SeenDisks seen) {
        List<String> problems = new ArrayList<>();
        Map<String, Path> byId = new HashMap<>();
        for (SsdIdentity ssd : seen.ssds().values()) {
            Path other = byId.put(ssd.id(), ssd.path());
            if (other != null) {
                problems.add(other + " and " + ssd.path()
                        + " have the same id, so one is a copy of the other; empty the copy.");
            }
        }
        return problems;
    }

    /** True for an empty directory that used to be a mount point: the files that are missing there are not lost. */
    private static boolean isUnmounted(SeenDisks seen, SsdIdentity ssd) {
        return ssd.condition() == SsdIdentity.Condition.BLANK
                && !seen.mountPoints().contains(ssd.path())
                && seen.logDirs().values().stream()
                        .anyMatch(known -> known.mountPoints().contains(ssd.path()));
    }

    /** Why a link from a log directory to an SSD cannot be trusted; null when it can. */
    @Nullable
    LinkFault fault(Path logDir, Path ssdDir) {
        SsdIdentity ssd = seen.ssds().get(ssdDir);
        KnownSsds known = seen.logDirs().get(logDir);
        if (ssd == null || known == null) {
            return LinkFault.PROBLEM;
        }
        if (!ssd.isThere()) {
            return LinkFault.MISSING;
        }
        if (ssd.condition() == SsdIdentity.Condition.BLANK) {
            return isUnmounted(seen, ssd) ? LinkFault.PROBLEM : LinkFault.BLANK;
        }
        if (ssd.generation() < known.generation()) {
            return LinkFault.STALE;
        }
        String expected = known.ssdIds().get(ssdDir);
        boolean swapped =
                expected != null && !expected.equals(ssd.id()) && known.ssdIds().containsValue(ssd.id());
        return swapped ? LinkFault.SWAPPED : null;
    }

    /** The identity file of each directory that is there, for a start of that number; the SSDs come first. */
    Map<Path, IdentityFile> files(long newGeneration) {
        Map<Path, IdentityFile> files = new LinkedHashMap<>();
        seen.ssds().values().stream()
                .filter(SsdIdentity::isThere)
                .forEach(ssd ->
                        files.put(ssd.path(), ssd.at(newGeneration, Map.of()).file(seen.broker())));
        IdentityFile known = known(newGeneration).file();
        seen.logDirs().keySet().forEach(logDir -> files.put(logDir, known));
        return files;
    }

    /**
     * The same after all SSDs were empty. They know of no log directory then: one whose own file cannot be written
     * would count as older at the next start.
     */
    Map<Path, IdentityFile> filesOfEmptySsds(long newGeneration) {
        Map<Path, IdentityFile> files = new LinkedHashMap<>(files(newGeneration));
        seen.ssds().values().stream()
                .filter(SsdIdentity::isThere)
                .forEach(ssd -> files.put(ssd.path(), ssd.emptied(newGeneration).file(seen.broker())));
        return files;
    }

    /** The identity files that have to change for a start of that number; the SSDs come first. */
    List<IdentityWrite> writes(long newGeneration) {
        List<IdentityWrite> writes = new ArrayList<>();
        if (seen.ssds().isEmpty()) {
            return writes; // only the cold reads are on
        }
        KnownSsds known = known(newGeneration);
        files(newGeneration).forEach((dir, file) -> {
            SsdIdentity ssd = seen.ssds().get(dir);
            if (ssd == null) {
                if (!known.equals(seen.logDirs().get(dir))) {
                    writes.add(new IdentityWrite(dir, file, IdentityWrite.Kind.LOG_DIR));
                }
            } else if (ssd.condition() == SsdIdentity.Condition.BLANK || ssd.generation() != newGeneration) {
                writes.add(new IdentityWrite(dir, file, kind(ssd)));
            }
        });
        return writes;
    }

    /**
     * The identity files of the SSDs after the start of that number, when all log directories have theirs.
     *
     * @param published the log directories that have the identity file of that start
     */
    Map<Path, IdentityFile> confirmed(long newGeneration, Set<Path> published) {
        Map<String, Long> tookPart = new HashMap<>();
        seen.logDirs().forEach((logDir, known) -> {
            String directoryId = seen.directoryIds().get(logDir);
            if (directoryId != null) {
                tookPart.put(directoryId, published.contains(logDir) ? newGeneration : known.generation());
            }
        });
        Map<Path, IdentityFile> files = new LinkedHashMap<>();
        for (SsdIdentity ssd : seen.ssds().values()) {
            if (ssd.isThere() && !ssd.at(ssd.generation(), tookPart).equals(ssd)) {
                files.put(ssd.path(), ssd.at(newGeneration, tookPart).file(seen.broker()));
            }
        }
        return files;
    }

    private IdentityWrite.Kind kind(SsdIdentity ssd) {
        if (ssd.condition() == SsdIdentity.Condition.BLANK) {
            return isReplaced(ssd) ? IdentityWrite.Kind.REPLACE : IdentityWrite.Kind.CLAIM;
        }
        return ssd.generation() == generation ? IdentityWrite.Kind.ADVANCE : IdentityWrite.Kind.CATCH_UP;
    }

    /** True when some log directory has used another SSD at this path. */
    private boolean isReplaced(SsdIdentity ssd) {
        return seen.logDirs().values().stream().anyMatch(known -> {
            String before = known.ssdIds().get(ssd.path());
            return before != null && !before.equals(ssd.id());
        });
    }

    private KnownSsds known(long newGeneration) {
        Map<Path, String> ids = new HashMap<>();
        seen.ssds().values().stream().filter(SsdIdentity::isThere).forEach(ssd -> ids.put(ssd.path(), ssd.id()));
        return new KnownSsds(newGeneration, ids, seen.mountPoints());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import io.evenkeel.tiered.api.TierSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The conclusions from the directories that a start has seen: their problems, which links can be trusted, and which
 * identity files to write. A pure function of {@link SeenDisks}. Immutable.
 *
 * @param generation the newest generation in any identity file; 0 when there is none
 * @param problems the problems of the directories themselves, independent of the links
 */
record DiskVerdict(SeenDisks seen, long generation, List<String> problems) {
    static DiskVerdict of(SeenDisks seen) {
        long newest = Stream.concat(
                        seen.ssds().values().stream().map(SsdIdentity::generation),
                        seen.logDirs().values().stream().map(KnownSsds::generation))
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
        List<String> problems = new ArrayList<>(seen.unreadable());
        problems.addAll(duplicates(seen));
        problems.addAll(olderLogDirs(seen));
        seen.ssds().values().stream()
                .filter(ssd -> isUnmounted(seen, ssd))
                .forEach(ssd -> problems.add(ssd.path()
                        + " is blank and not a mount point any more, so the SSD is not mounted. If the SSD is lost"
                        + " for good, mount another one there, or remove the directory"
                        + " from " + TierSettings.DIRS + "."));
        return new DiskVerdict(seen, newest, List.copyOf(problems));
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

    /**
     * A log directory that an SSD has seen in a later state: its disk is an older image, or was mounted again after
     * another had taken its place. The newest segments on the SSD have no link there, and must not be taken for
     * leftovers.
     */
    private static List<String> olderLogDirs(SeenDisks seen) {
        List<String> problems = new ArrayList<>();
        for (SeenDisks.OnSsd onSsd : seen.onSsds()) {
            Path logDir = onSsd.logDir().path();
            KnownSsds known = seen.logDirs().get(logDir);
            long start = onSsd.ssd().logDirStarts().getOrDefault(onSsd.logDir().directoryId(), 0L);
            if (known != null && known.generation() < start) {
                problems.add("The log directory " + logDir + " is older than " + onSsd.path()
                        + ": it is as it was at start " + known.generation() + " of the broker, and the SSD has records"
                        + " of it from start " + start + " on. Its disk is an older image, or an old disk is mounted"
                        + " again. Mount the disk of the last start. If that is lost for good, move " + onSsd.path()
                        + " away; its newest records are only there.");
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
                .forEach(ssd -> files.put(ssd.path(), ssd.file(seen.broker(), newGeneration)));
        IdentityFile known = known(newGeneration).file();
        seen.logDirs().keySet().forEach(logDir -> files.put(logDir, known));
        return files;
    }

    /** The identity files that have to change for a start of that number; the SSDs come first. */
    List<IdentityWrite> writes(long newGeneration) {
        List<IdentityWrite> writes = new ArrayList<>();
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

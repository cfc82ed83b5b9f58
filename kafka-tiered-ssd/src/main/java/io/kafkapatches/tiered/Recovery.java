/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Makes the disks agree before any log is loaded. Not thread safe; made for one start.
 *
 * <p>One rule settles every doubt: where the HDD path is a link, the SSD file is the truth; where it is a real file, the HDD
 * file is the truth, and the SSD file only a copy of it. First everything is looked at; if a link does not lead to a file
 * on the SSD that it was made for, the start is refused and nothing has been touched, or what is missing is given up. Then
 * leftovers, stale copies and orphans go. The marks of the new generation come last: until then, an SSD that is stale must
 * be known as such.
 */
final class Recovery {
    private static final Path ROOT = Path.of("/");

    private final FileLayer files;
    private final TieredSettings settings;
    private final List<LogDir> logDirs;
    private final List<SsdDir> ssdDirs;
    private final Marks marks;
    private final TierListener listener;

    private final List<String> problems = new ArrayList<>();
    private final List<BrokenPromise> broken = new ArrayList<>();
    private final Garbage garbage;
    /** Links by the SSD file they lead to. */
    private final Map<Path, Path> linked = new HashMap<>();

    /** The marks of partitions that gave up records in an earlier start. */
    private final Map<Path, Path> marked = new HashMap<>();

    private final IncompleteReplicas incomplete = new IncompleteReplicas();
    private final Map<Path, LostTail> lostTails = new LinkedHashMap<>();
    private final Map<Path, SsdFile> copies = new HashMap<>();

    Recovery(
            FileLayer files,
            TieredSettings settings,
            List<LogDir> logDirs,
            List<SsdDir> ssdDirs,
            Marks marks,
            TierListener listener) {
        this.files = files;
        this.settings = settings;
        this.logDirs = logDirs;
        this.ssdDirs = ssdDirs;
        this.marks = marks;
        this.listener = listener;
        this.garbage = new Garbage(files);
    }

    /**
     * Looks, decides, and cleans up.
     *
     * @return complete copies on an SSD, by the path of the HDD file they are a copy of
     * @throws IOException when the disks lack what they promise
     */
    Map<Path, SsdFile> run() throws IOException {
        marks.prepare(listener);
        try {
            lookAtLogDirs();
            refuseIfNeeded();
            planToGiveUp();
            lookAtMarked();
            lookAtSsds();
        } catch (FileSystemException e) {
            marks.withdraw(listener);
            throw new IOException(
                    "The SSD tier cannot start, because a file or directory cannot be read. Nothing has been "
                            + "changed; check the device: " + e,
                    e);
        } catch (IOException | RuntimeException e) {
            marks.withdraw(listener);
            throw e;
        }
        giveUp();
        garbage.remove(listener);
        marks.publish(listener);
        return copies;
    }

    /** The replicas that have given up records, in this start or an earlier one; to be asked after {@link #run()}. */
    IncompleteReplicas incomplete() {
        return incomplete;
    }

    private void lookAtLogDirs() throws IOException {
        for (LogDir logDir : logDirs) {
            for (Path partition : children(logDir.path())) {
                if (LogFileName.isTiered(partition)) {
                    lookAtPartition(logDir, partition);
                }
            }
        }
    }

    private void lookAtPartition(LogDir logDir, Path partition) throws IOException {
        for (Path file : children(partition)) {
            LogFileName name = LogFileName.parse(file);
            if (name != null) {
                if (Files.isSymbolicLink(file)) {
                    lookAtLink(logDir, file, name);
                }
            } else if (LogFileName.isLeftover(file)) {
                garbage.add(file);
            } else if (LogFileName.nameOf(file).equals(IncompleteReplicas.MARK)) {
                marked.put(partition, file);
            }
        }
    }

    private void lookAtLink(LogDir logDir, Path link, LogFileName name) throws IOException {
        Path target = link.resolveSibling(Files.readSymbolicLink(link)).normalize();
        Path place = placeOf(logDir, target);
        Doubt doubt = place == null ? Doubt.OUTSIDE : doubt(logDir, target, place);
        if (name.isTemporary() || (doubt != null && LogFileName.isDeleted(link.resolveSibling("")))) {
            garbage.add(link); // as Kafka's own loader would; the SSD file is then nobody's
            return;
        }
        if (doubt == null && linked.put(target, link) != null) {
            doubt = Doubt.TWICE;
        }
        if (doubt != null) {
            broken.add(new BrokenPromise(logDir, link, name.baseOffset(), target, doubt, place == null ? ROOT : place));
        }
    }

    /** The SSD directory that a link's target is in: one of ours, one that was ours, or none. */
    private @Nullable Path placeOf(LogDir logDir, Path target) {
        for (Path ssd : settings.ssdDirs()) {
            if (target.startsWith(ssd)) {
                return ssd;
            }
        }
        return marks.remembered(logDir.path(), target);
    }

    private @Nullable Doubt doubt(LogDir logDir, Path target, Path place) throws IOException {
        boolean isThere = isRegularFile(target);
        if (!settings.ssdDirs().contains(place)) {
            return isThere ? Doubt.UNCONFIGURED : Doubt.DROPPED;
        }
        Doubt doubt = marks.doubt(logDir.path(), place);
        return doubt != null || isThere ? doubt : Doubt.LACKING;
    }

    /** Throws when nobody knows: a device that fails to answer has not lost the file yet. */
    private static boolean isRegularFile(Path file) throws IOException {
        try {
            return Files.readAttributes(file, BasicFileAttributes.class, NOFOLLOW_LINKS)
                    .isRegularFile();
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void refuseIfNeeded() throws IOException {
        problems.addAll(marks.problems());
        for (SsdDir ssd : ssdDirs) {
            requireRoom(ssd);
            requireThere(ssd);
        }
        Refusal refusal = new Refusal(settings, problems, broken);
        if (!refusal.isAvertedBy(settings.onMissing())) {
            throw new IOException(refusal.message());
        }
    }

    private void requireRoom(SsdDir ssd) {
        // Not by Files.getFileStore: in a chroot it looks for a mount point in vain. 0 means that nobody knows.
        long totalBytes = ssd.path().toFile().getTotalSpace();
        if (totalBytes > 0 && settings.capacityBytes() > totalBytes) {
            problems.add(TieredSettings.CAPACITY_BYTES + "=" + settings.capacityBytes() + " is more than the "
                    + totalBytes + " bytes of the file system that it is for: " + ssd.path());
        }
    }

    /** An SSD that is not there, and nothing missing with it, is still one that should be there. */
    private void requireThere(SsdDir ssd) {
        SsdIdentity found = marks.ssd(ssd.path());
        if (found == null || found.isThere()) {
            return;
        }
        ssd.suspect(); // nothing goes there when the start goes on nevertheless
        if (settings.onMissing() == OnMissing.FAIL
                && broken.stream().noneMatch(promise -> promise.place().equals(ssd.path()))) {
            problems.add(ssd.path()
                    + " is missing: there is no such directory. Is the SSD mounted? No segment is only there, "
                    + "so an empty directory on a new SSD will do.");
        }
    }

    private void planToGiveUp() throws IOException {
        Map<Path, BrokenPromise> first = new TreeMap<>();
        for (BrokenPromise promise : broken) {
            first.merge(promise.partition(), promise, (a, b) -> a.baseOffset() <= b.baseOffset() ? a : b);
        }
        Map<LogDir, KafkaCheckpoints> checkpoints = new HashMap<>();
        for (BrokenPromise promise : first.values()) {
            LogDir logDir = promise.logDir();
            Path partition = promise.partition();
            KafkaCheckpoints known = checkpoints.computeIfAbsent(logDir, dir -> KafkaCheckpoints.read(dir.path()));
            lostTails.put(partition, new LostTail(files, logDir, partition, promise.baseOffset(), known));
        }
        linked.values().removeIf(this::isGivenUp);
    }

    private boolean isGivenUp(Path segment) {
        LostTail tail = lostTails.get(segment.resolveSibling(""));
        return tail != null && tail.covers(LogFileName.leadingOffset(segment));
    }

    private void lookAtMarked() throws IOException {
        for (Map.Entry<Path, Path> mark : marked.entrySet()) {
            Path partition = mark.getKey();
            if (lostTails.containsKey(partition) || !IncompleteReplicas.hasFollowed(partition, mark.getValue())) {
                incomplete.add(partition);
            } else {
                garbage.add(mark.getValue());
            }
        }
    }

    private void lookAtSsds() throws IOException {
        for (SsdDir ssd : ssdDirs) {
            for (LogDir logDir : logDirs) {
                for (Path partition : children(ssd.path().resolve(logDir.id()))) {
                    lookAtSsd(ssd, logDir, partition);
                }
            }
        }
    }

    private void lookAtSsd(SsdDir ssd, LogDir logDir, Path ssdPartition) throws IOException {
        boolean stale = marks.doubt(logDir.path(), ssd.path()) == Doubt.STALE;
        Path partition = logDir.path().resolve(ssdPartition.getFileName());
        int garbageBefore = garbage.countOnSsd(partition);
        List<Path> found = children(ssdPartition);
        for (Path file : found) {
            long baseOffset = LogFileName.baseOffsetOnSsd(file);
            if (baseOffset < 0 || linked.containsKey(file)) {
                continue;
            }
            Path hddFile = partition.resolve(String.format("%020d.log", baseOffset));
            boolean useful = !stale && !isGivenUp(hddFile) && !copies.containsKey(hddFile);
            if (useful && SegmentOpener.isSame(file, hddFile)) {
                copies.put(hddFile, new SsdFile(ssd, file));
            } else {
                garbage.addOnSsd(partition, file);
            }
        }
        if (garbage.countOnSsd(partition) - garbageBefore == found.size()) {
            garbage.addEmptied(ssdPartition);
        }
    }

    /** First of all, and durably: nobody may believe that these logs are what the broker left when it was shut down. */
    private void giveUp() throws IOException {
        if (lostTails.isEmpty()) {
            return;
        }
        listener.givingUp(lostTails.values().stream().map(LostTail::givenUp).toList());
        for (LogDir logDir :
                lostTails.values().stream().map(LostTail::logDir).distinct().toList()) {
            files.deleteIfExists(logDir.path().resolve(KafkaCheckpoints.CLEAN_SHUTDOWN_MARK));
            files.syncDirectory(logDir.path());
        }
        for (LostTail tail : lostTails.values()) {
            tail.remove();
            incomplete.add(tail.partition());
        }
    }

    /** Removes the directory of a partition that has nothing on the SSD any more. */
    static void deleteIfEmpty(FileLayer files, Path ssdPartition) throws IOException {
        try {
            files.deleteIfExists(ssdPartition);
        } catch (DirectoryNotEmptyException e) {
            // still in use
        }
    }

    /** What is in a directory; nothing when it is not there or not a directory. */
    static List<Path> children(Path dir) throws IOException {
        List<Path> children = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(dir)) {
            stream.forEach(children::add);
        } catch (NotDirectoryException | NoSuchFileException e) {
            return children;
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return children;
    }
}

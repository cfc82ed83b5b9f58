/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool.preflight;

import io.evenkeel.core.Mount;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.identity.IdentityFile;
import io.evenkeel.tiered.kafka.TierStart;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The file system and the disk of one directory. All that it finds are warnings: the broker starts on any file system.
 * Not thread safe; made for one directory that exists.
 */
final class DirFindings {
    /** See docs/operations.md. */
    private static final long SSD_READ_AHEAD_KB = 512;

    private static final Set<String> NOT_LASTING = Set.of("tmpfs", "ramfs", "overlay");

    private final Path dir;
    private final @Nullable Mount mount;
    private final @Nullable Disk disk;
    private final List<Finding> findings = new ArrayList<>();

    private DirFindings(Path dir) {
        this.dir = dir;
        this.mount = Mount.of(dir);
        this.disk = mount == null ? null : Disk.under(mount);
    }

    /** @param hasTier whether the config asks for a tier */
    static List<Finding> ofLogDir(Path logDir, boolean hasTier) {
        DirFindings found = new DirFindings(logDir);
        found.findings.add(Finding.ok(found.dir.toString(), found.description()));
        found.checkLasting();
        if (hasTier) {
            found.checkHdd();
        } else {
            found.checkOff();
        }
        return found.findings;
    }

    static List<Finding> ofSsd(Path ssd, TierSettings settings, List<Path> logDirs) throws IOException {
        DirFindings found = new DirFindings(ssd);
        found.findings.add(Finding.ok(found.dir.toString(), found.description()));
        found.checkLasting();
        found.checkApart(logDirs);
        found.checkSsd();
        found.checkSpace(settings.capacityBytes());
        return found.findings;
    }

    private void warnIf(boolean bad, String text) {
        if (bad) {
            findings.add(Finding.warning(dir.toString(), text));
        }
    }

    private String description() {
        String space = size(File::getUsableSpace) + " MiB free of " + size(File::getTotalSpace) + " MiB";
        return mount == null
                ? space
                : mount.type() + " of " + mount.source() + " on " + mount.point() + ", " + space
                        + (disk == null ? "" : disk.rotates() ? ", the disk rotates" : ", the disk does not rotate");
    }

    private long size(ToLongFunction<File> bytes) {
        return bytes.applyAsLong(dir.toFile()) >> 20;
    }

    private void checkLasting() {
        String type = mount == null ? "" : mount.type();
        warnIf(
                NOT_LASTING.contains(type),
                type + " keeps nothing when the machine or the container ends: use a disk of its own");
    }

    /** A tier that was switched off in the config only, with segments on the SSD. */
    private void checkOff() {
        warnIf(
                Files.exists(dir.resolve(IdentityFile.FILE_NAME)),
                "an earlier tier has left its identity file here, and perhaps links to an SSD, but " + TierSettings.DIRS
                        + " is not set: set it again, or drain before you remove the SSD");
    }

    private void checkHdd() {
        String note = TierStart.withoutDirectIo(dir);
        warnIf(note != null, String.valueOf(note));
        boolean waits =
                mount != null && !(mount.type().equals("xfs") && mount.options().contains("lazytime"));
        warnIf(
                disk != null && disk.rotates() && waits,
                "when this disk hangs, appends to segments on the SSD wait as well; with XFS mounted with lazytime they"
                        + " do not");
    }

    private void checkApart(List<Path> logDirs) {
        String shared = logDirs.stream()
                .filter(this::isOnTheSameDisk)
                .map(Path::toString)
                .collect(Collectors.joining(", "));
        warnIf(
                !shared.isEmpty(),
                "is on the disk of " + shared + ": the tier gains nothing there. Is the SSD mounted?");
    }

    private boolean isOnTheSameDisk(Path logDir) {
        FileOps files = new FileOps();
        Mount other = Mount.of(logDir);
        return files.device(dir).equals(files.device(logDir))
                || (disk != null && other != null && disk.equals(Disk.under(other)));
    }

    private void checkSsd() {
        if (disk == null) {
            warnIf(mount != null, "the disk is unknown: a tier should be on a disk of this machine");
            return;
        }
        warnIf(disk.rotates(), "the kernel says that this disk rotates: is it an SSD? (Virtual disks often say so.)");
        long readAheadKb = disk.readAheadKb();
        warnIf(
                readAheadKb >= 0 && readAheadKb < SSD_READ_AHEAD_KB,
                "the kernel reads " + readAheadKb + " KiB ahead; let it read more: echo " + SSD_READ_AHEAD_KB + " > "
                        + disk.sys().resolve("queue/read_ahead_kb"));
    }

    private void checkSpace(long capacityBytes) throws IOException {
        long totalBytes = dir.toFile().getTotalSpace();
        warnIf(
                totalBytes > 0 && capacityBytes > totalBytes - totalBytes / 10,
                TierSettings.CAPACITY_BYTES + "=" + capacityBytes + " leaves less than a tenth of the file system's "
                        + totalBytes + " bytes free: set a smaller capacity");
        long usableBytes = new FileOps().usableBytes(dir);
        warnIf(
                usableBytes < capacityBytes - usedBytes(),
                TierSettings.CAPACITY_BYTES + "=" + capacityBytes + ", but only " + usableBytes
                        + " bytes are free here: other files take the space, and new segments will go to the HDD");
    }

    private long usedBytes() throws IOException {
        LongAdder bytes = new LongAdder();
        Files.walkFileTree(dir, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                bytes.add(attributes.size());
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) {
                return FileVisitResult.CONTINUE; // lost+found, or a file that a running broker has deleted
            }
        });
        return bytes.sum();
    }
}

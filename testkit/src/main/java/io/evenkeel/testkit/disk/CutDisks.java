/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit.disk;

import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Commands;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Disks whose power can be cut, all at one instant: ext4 on loop devices whose images lie in one btrfs subvolume. A
 * snapshot of that has what has reached the devices, and nothing of what is only in the page cache. Needs root. One
 * thread drives it.
 *
 * <p>Data that has reached a device counts as durable: the device has no cache of its own that could lose it.
 *
 * <p>A shell takes everything away when its input ends: by {@link #close()}, and just the same when this JVM dies.
 */
public final class CutDisks implements AutoCloseable {
    private static final long LAB_BYTES = 16L << 30; // sparse
    private static final long CAPACITY_BYTES = 64 << 20;
    private static final long CLEAN_UP_SECONDS = 60;

    /** The file system writes its journal on an fsync, and otherwise so rarely that a test can aim at one write. */
    private static final String EXT4_OPTIONS = "commit=300";

    /** Arguments: the directory of it all, then the names of the disks. */
    private static final String KEEP = """
            trap '' HUP INT TERM
            cd "$1"
            shift
            cat >/dev/null
            for name in "$@" lab; do
                for try in $(seq 100); do
                    mountpoint -q "$name" || break
                    umount "$name" && break
                    sleep 0.1
                done
                mountpoint -q "$name" && umount -l "$name"
            done
            rm -f lab.img
            rmdir "$@" lab
            """;

    private final Path dir;
    private final List<String> names;
    private final Process keeper;
    private int present;

    /** Mounts a disk of that size at {@code <dir>/<name>} for each name. */
    public CutDisks(Path dir, long bytes, String... names) throws IOException {
        this.dir = dir.toAbsolutePath();
        this.names = List.of(names);
        List<String> keep = new ArrayList<>(List.of("sh", "-c", KEEP, "cut-disks", this.dir.toString()));
        keep.addAll(this.names);
        this.keeper = new ProcessBuilder(keep)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            make(bytes);
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void make(long bytes) throws IOException {
        Path image = dir.resolve("lab.img");
        Commands.run("truncate", "-s", "" + LAB_BYTES, image.toString());
        Commands.run("mkfs.btrfs", "-q", "-m", "single", image.toString());
        Files.createDirectories(lab());
        // the lab's own disk is not the one whose power is cut
        Commands.run("mount", "-o", "loop,nobarrier", image.toString(), lab().toString());
        Commands.run("btrfs", "subvolume", "create", subvolume(present).toString());
        for (String name : names) {
            Path disk = subvolume(present).resolve(name + ".img");
            Files.createDirectories(path(name));
            Commands.run("truncate", "-s", "" + bytes, disk.toString());
            Commands.run("mkfs.ext4", "-q", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", disk.toString());
        }
        mount();
    }

    private Path lab() {
        return dir.resolve("lab");
    }

    private Path subvolume(int number) {
        return lab().resolve("disks-" + number);
    }

    /** Where a disk is mounted. */
    public Path path(String name) {
        return dir.resolve(name);
    }

    /** A small patched broker on these disks. */
    public BrokerConfig broker() {
        return BrokerConfig.under(path("os").resolve("node"), 1, 1)
                .withLogDirs(path("hdd").resolve("logs"))
                .withSsdDirs(path("ssd").resolve("tier"))
                .patched()
                .with("tiered.ssd.capacity.bytes", CAPACITY_BYTES);
    }

    /** Flushes all dirty pages and journals. */
    public void writeBackAll() throws IOException {
        for (String name : names) {
            writeBack(name);
        }
    }

    /** Writes back all that is dirty on one disk, as the kernel may do at any time. */
    public void writeBack(String name) throws IOException {
        Commands.run("sync", "-f", path(name).toString());
    }

    /** Cuts the power: records the state of all devices at one instant during this call. The disks stay usable. */
    public void cut() throws IOException {
        Commands.run(
                "btrfs",
                "subvolume",
                "snapshot",
                subvolume(present).toString(),
                subvolume(present + 1).toString());
    }

    /** Restores the disks to their state at the last {@link #cut()}. No process may use them meanwhile. */
    public void powerOn() throws IOException {
        for (String name : names) {
            Commands.run("umount", path(name).toString()); // and with it goes its loop device
        }
        Commands.run("btrfs", "subvolume", "delete", subvolume(present).toString());
        present++;
        mount();
    }

    private void mount() throws IOException {
        for (String name : names) {
            Path disk = subvolume(present).resolve(name + ".img");
            String device = Commands.run("losetup", "--find", "--show", "--direct-io=on", disk.toString());
            try {
                Commands.run("mount", "-o", EXT4_OPTIONS, device, path(name).toString());
            } finally {
                Commands.run("losetup", "-d", device); // takes effect once no process uses the device
            }
        }
    }

    /** Unmounts and removes everything; once is enough. */
    @Override
    public void close() throws IOException {
        keeper.getOutputStream().close();
        try {
            if (!keeper.waitFor(CLEAN_UP_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("still there after " + CLEAN_UP_SECONDS + " s: " + dir);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while removing the disks in " + dir, e);
        }
    }
}

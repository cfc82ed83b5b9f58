/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A disk with a file system of its own, which can be made to fail in the ways that disks do: a loop device on an image file.
 * Needs root, and cgroup v1's blkio controller to be frozen. One thread drives it.
 *
 * <p>A shell waits for the end of its input and then takes everything away: it gets there by {@link #close()}, and just the
 * same when this JVM dies in the middle, also by SIGKILL.
 */
final class LoopDisk implements AutoCloseable {
    /** Without reserved blocks and work in the background: what is left and what is written is then what the test did. */
    private static final List<String> MAKE_EXT4 =
            List.of("mkfs.ext4", "-q", "-b", "4096", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", "--");

    private static final List<String> MAKE_BTRFS = List.of("mkfs.btrfs", "-q", "-m", "single", "-d", "single", "--");

    private static final Path BLKIO = Path.of("/sys/fs/cgroup/blkio");
    private static final int SECTOR_BYTES = 512;
    private static final long CLEAN_UP_SECONDS = 30;

    /** Arguments: device, its number, mount point, image; then the throttle files. */
    private static final String CLEAN_UP = """
            trap '' HUP INT TERM
            cat >/dev/null
            device=$1 number=$2 mount_point=$3 image=$4
            shift 4
            for limit; do echo "$number 0" >"$limit"; done
            for try in $(seq 100); do
                mountpoint -q "$mount_point" || break
                umount "$mount_point" && break
                sleep 0.1
            done
            mountpoint -q "$mount_point" && umount -l "$mount_point"
            losetup -d "$device"
            chattr -i "$image" || true
            rm -f "$image"
            rmdir "$mount_point"
            """;

    private final Path image;
    private final Path path;
    private final String device;
    private final String number;
    private final List<Path> limits;
    private final Process cleaner;

    /** What a device has done since it was made. */
    record Traffic(long readBytes, long writtenBytes) {}

    private LoopDisk(Path dir, String name, long bytes, List<String> mkfs) throws IOException {
        this.image = dir.resolve(name + ".img").toAbsolutePath();
        this.path = dir.resolve(name).toAbsolutePath();
        Files.createDirectories(path);
        Commands.run("truncate", "-s", String.valueOf(bytes), image.toString());
        this.device = Commands.run("losetup", "--find", "--show", "--direct-io=on", image.toString());
        this.number = Files.readString(sys("dev")).strip();
        this.limits = limits();
        List<String> clean = new ArrayList<>(
                List.of("sh", "-c", CLEAN_UP, "clean-up", device, number, path.toString(), image.toString()));
        limits.forEach(limit -> clean.add(limit.toString()));
        this.cleaner = new ProcessBuilder(clean)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            List<String> make = new ArrayList<>(mkfs);
            make.add(device);
            Commands.run(make.toArray(String[]::new));
            mount();
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    /** A disk of that size, its image {@code <dir>/<name>.img}, mounted at {@code <dir>/<name>}. */
    static LoopDisk ext4(Path dir, String name, long bytes) throws IOException {
        return new LoopDisk(dir, name, bytes, MAKE_EXT4);
    }

    /** As {@link #ext4}, with a file system that refuses to read what does not match its checksum. */
    static LoopDisk btrfs(Path dir, String name, long bytes) throws IOException {
        return new LoopDisk(dir, name, bytes, MAKE_BTRFS);
    }

    /** Where it is, or was, mounted. */
    Path path() {
        return path;
    }

    Path image() {
        return image;
    }

    String device() {
        return device;
    }

    void mount() throws IOException {
        Commands.run("mount", device, path.toString());
    }

    /** Leaves an empty mount point. */
    void unmount() throws IOException {
        Commands.run("umount", path.toString());
    }

    void remountReadOnly() throws IOException {
        Commands.run("mount", "-o", "remount,ro", path.toString());
    }

    /** Writes back all that is dirty. */
    void sync() throws IOException {
        Commands.run("sync", "-f", path.toString());
    }

    /** Puts a foreign file there that leaves no more than so much; delete it to have the space back. */
    Path fill(long leaveBytes) throws IOException {
        Path filler = path.resolve("foreign-file");
        // first what is still to be allocated, else less is left than it seems
        sync();
        long fillBytes = path.toFile().getUsableSpace() - leaveBytes;
        Commands.run("fallocate", "-l", String.valueOf(fillBytes), filler.toString());
        return filler;
    }

    /** From now on each write that reaches the device fails with EIO, while reads go on. */
    void refuseWrites() throws IOException {
        Commands.run("chattr", "+i", image.toString());
    }

    void acceptWrites() throws IOException {
        Commands.run("chattr", "-i", image.toString());
    }

    /** What happens on a disk in a certain condition. */
    interface Action {
        void run() throws Exception;
    }

    /** Hangs the device: it answers nothing until the action is over, and then all that it was asked meanwhile. */
    void whileFrozen(Action action) throws Exception {
        freeze();
        try {
            action.run();
        } finally {
            limit(0); // who waits for a frozen device cannot even be killed
        }
    }

    /** Hangs the device until {@link #close()}. */
    void freeze() throws IOException {
        limit(1);
    }

    /** Bytes a second; 0 is without a limit. */
    private void limit(long bytesPerSecond) throws IOException {
        for (Path limit : limits) {
            Files.writeString(limit, number + " " + bytesPerSecond);
        }
    }

    /** Of our own group, which the broker is born into, and of the root group, which writeback runs in. */
    private static List<Path> limits() throws IOException {
        Set<Path> groups = new LinkedHashSet<>(List.of(BLKIO));
        for (String line : Files.readAllLines(Path.of("/proc/self/cgroup"))) {
            String[] fields = line.split(":", 3);
            if (List.of(fields[1].split(",")).contains("blkio")) {
                groups.add(BLKIO.resolve(fields[2].substring(1)).normalize());
            }
        }
        List<Path> limits = new ArrayList<>();
        for (Path group : groups) {
            limits.add(group.resolve("blkio.throttle.read_bps_device"));
            limits.add(group.resolve("blkio.throttle.write_bps_device"));
        }
        return limits;
    }

    Traffic traffic() throws IOException {
        try (Scanner fields = new Scanner(sys("stat"), StandardCharsets.US_ASCII)) {
            long[] numbers = fields.tokens().mapToLong(Long::parseLong).toArray();
            return new Traffic(numbers[2] * SECTOR_BYTES, numbers[6] * SECTOR_BYTES);
        }
    }

    private Path sys(String attribute) {
        return Path.of("/sys/block").resolve(Path.of(device).getFileName()).resolve(attribute);
    }

    /** Thaws, unmounts and removes everything; once is enough. */
    @Override
    public void close() throws IOException {
        cleaner.getOutputStream().close();
        try {
            if (!cleaner.waitFor(CLEAN_UP_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("still there after " + CLEAN_UP_SECONDS + " s: " + device + " at " + path);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while removing " + device, e);
        }
    }

    @Override
    public String toString() {
        return device + " at " + path;
    }
}

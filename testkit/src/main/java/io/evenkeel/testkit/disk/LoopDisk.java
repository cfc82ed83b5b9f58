/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit.disk;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.testkit.Commands;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A disk with its own file system that a test can make fail as real disks do: a loop device on a loop device on an
 * image file. Needs root, and cgroup v1's blkio controller to be frozen. One thread drives it.
 *
 * <p>There are two devices because the kernel exempts file system metadata from a throttle: a disk that still writes
 * its journal does not hang. For the lower device, everything that the upper one sends is data.
 *
 * <p>A shell creates the devices, waits for the end of its input and then removes everything. Its input ends with
 * {@link #close()}, and also when this JVM dies, even by SIGKILL.
 */
public final class LoopDisk implements AutoCloseable {
    /** No reserved blocks and no background work, so that only the test changes the free space and writes. */
    private static final List<String> MAKE_EXT4 =
            List.of("mkfs.ext4", "-q", "-b", "4096", "-m", "0", "-E", "lazy_itable_init=0,lazy_journal_init=0", "--");

    private static final List<String> MAKE_COARSE_EXT4 =
            List.of("mkfs.ext4", "-q", "-b", "4096", "-m", "0", "-I", "128", "--");

    private static final List<String> MAKE_BTRFS = List.of("mkfs.btrfs", "-q", "-m", "single", "-d", "single", "--");

    private static final List<String> MAKE_XFS = List.of("mkfs.xfs", "-q", "--");

    private static final Path BLKIO = Path.of("/sys/fs/cgroup/blkio");
    private static final int SECTOR_BYTES = 512;
    private static final long CLEAN_UP_SECONDS = 30;
    private static final long LONGEST_FREEZE_SECONDS = 120;

    /**
     * Arguments: image, its size, mount point; then the throttle files. Answers the two devices, the lower one first.
     */
    private static final String KEEP = """
            trap '' HUP INT TERM
            image=$1 bytes=$2 mount_point=$3
            shift 3
            attach() { losetup --find --show --direct-io=on "$1"; }
            mkdir -p "$mount_point"
            truncate -s "$bytes" "$image" && lower=$(attach "$image") && device=$(attach "$lower") &&
                echo "$lower $device"
            cat >/dev/null
            for limit; do echo "$(cat "/sys/block/${lower#/dev/}/dev") 0" >"$limit"; done
            for try in $(seq 100); do
                mountpoint -q "$mount_point" || break
                umount "$mount_point" && break
                sleep 0.1
            done
            mountpoint -q "$mount_point" && umount -l "$mount_point"
            [ -z "$device" ] || losetup -d "$device"
            [ -z "$lower" ] || losetup -d "$lower"
            chattr -i "$image"
            rm -f "$image"
            rmdir "$mount_point"
            """;

    private final Path image;
    private final Path path;
    private final String lower;
    private final String device;
    private final List<Path> limits;
    private final Process keeper;

    /** The bytes that a device has read and written since it was created. */
    public record Traffic(long readBytes, long writtenBytes) {}

    private LoopDisk(Path dir, String name, long bytes, List<String> mkfs) throws IOException {
        this.image = dir.resolve(name + ".img").toAbsolutePath();
        this.path = dir.resolve(name).toAbsolutePath();
        this.limits = limits();
        List<String> keep =
                new ArrayList<>(List.of("sh", "-c", KEEP, "loop-disk", "" + image, "" + bytes, path.toString()));
        limits.forEach(limit -> keep.add(limit.toString()));
        this.keeper = new ProcessBuilder(keep)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            Scanner devices = new Scanner(keeper.getInputStream(), StandardCharsets.UTF_8);
            this.lower = devices.next();
            this.device = devices.next();
            List<String> make = new ArrayList<>(mkfs);
            make.add(device);
            Commands.run(make.toArray(String[]::new));
            mount();
        } catch (IOException e) {
            close();
            throw e;
        } catch (NoSuchElementException noDevice) {
            close();
            throw new IOException("no loop device for " + image + "; the reason is on the error stream", noDevice);
        }
    }

    /** A disk of that size, its image {@code <dir>/<name>.img}, mounted at {@code <dir>/<name>}. */
    public static LoopDisk ext4(Path dir, String name, long bytes) throws IOException {
        return new LoopDisk(dir, name, bytes, MAKE_EXT4);
    }

    /** As {@link #ext4}, with a file system that keeps times in whole seconds. */
    public static LoopDisk coarseExt4(Path dir, String name, long bytes) throws IOException {
        return new LoopDisk(dir, name, bytes, MAKE_COARSE_EXT4);
    }

    /** As {@link #ext4}, with a file system whose operations do not wait for its journal; not below 300 MiB. */
    public static LoopDisk xfs(Path dir, String name, long bytes) throws IOException {
        return new LoopDisk(dir, name, bytes, MAKE_XFS);
    }

    /** As {@link #ext4}, with a file system that refuses to read what does not match its checksum. */
    public static LoopDisk btrfs(Path dir, String name, long bytes) throws IOException {
        return new LoopDisk(dir, name, bytes, MAKE_BTRFS);
    }

    /** Where it is, or was, mounted. */
    public Path path() {
        return path;
    }

    public Path image() {
        return image;
    }

    public String device() {
        return device;
    }

    public void mount() throws IOException {
        Commands.run("mount", device, path.toString());
    }

    /** Leaves an empty mount point. */
    public void unmount() throws IOException {
        Commands.run("umount", path.toString());
    }

    /** Changes mount options, such as {@code ro}. */
    public void remount(String options) throws IOException {
        Commands.run("mount", "-o", "remount," + options, path.toString());
    }

    /** Writes back all dirty pages. */
    public void sync() throws IOException {
        Commands.run("sync", "-f", path.toString());
    }

    /** Fills the disk with a foreign file up to {@code leaveBytes} free bytes. Delete the file to free the space. */
    public Path fill(long leaveBytes) throws IOException {
        Path filler = path.resolve("foreign-file");
        // delayed allocations come first; otherwise less space is free than it seems
        sync();
        long fillBytes = path.toFile().getUsableSpace() - leaveBytes;
        Commands.run("fallocate", "-l", String.valueOf(fillBytes), filler.toString());
        return filler;
    }

    /** From now on each write that reaches the device fails with EIO, while reads go on. */
    public void refuseWrites() throws IOException {
        Commands.run("chattr", "+i", image.toString());
    }

    /** As {@link #refuseWrites()}, and makes the file system notice and turn read-only. */
    public void turnReadOnly() throws IOException {
        try (FileChannel noticing = FileChannel.open(path.resolve("noticing"), CREATE_NEW, WRITE)) {
            refuseWrites();
            try {
                noticing.force(true); // a new file: the journal has to be written
            } catch (IOException noticed) {
                return;
            }
        }
        throw new IOException("writes are refused, but the file system writes its journal: " + this);
    }

    public void acceptWrites() throws IOException {
        Commands.run("chattr", "-i", image.toString());
    }

    /**
     * Hangs the device until the action ends; then the device completes the requests that arrived meanwhile.
     *
     * <p>The action must not touch the disk: a thread that waits for a frozen device cannot even be killed. As a
     * safeguard, the device answers again after {@value #LONGEST_FREEZE_SECONDS} seconds.
     */
    public <T> T whileFrozen(Callable<T> action) throws Exception {
        CompletableFuture<Void> safety = CompletableFuture.runAsync(
                this::thaw, CompletableFuture.delayedExecutor(LONGEST_FREEZE_SECONDS, TimeUnit.SECONDS));
        freeze();
        T result;
        boolean wasFrozen;
        try {
            result = action.call();
        } finally {
            thaw();
            wasFrozen = safety.cancel(false);
        }
        if (!wasFrozen) {
            throw new IOException("the action took too long; the device answered before the action ended: " + this);
        }
        return result;
    }

    /** From now on the device reads and writes so much a second, as far as brokers and the kernel's writeback go. */
    public void slowDown(long bytesPerSecond) {
        limit(bytesPerSecond);
    }

    /** Hangs the device until {@link #close()}. */
    public void freeze() {
        limit(1);
    }

    private void thaw() {
        limit(0);
    }

    /** Bytes a second; 0 removes the limit. */
    private void limit(long bytesPerSecond) {
        try {
            String number = Files.readString(sys(lower, "dev")).strip();
            for (Path limit : limits) {
                Files.writeString(limit, number + " " + bytesPerSecond);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The throttle files of our control group, which forked brokers join, and of the root group, where writeback runs.
     */
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

    public Traffic traffic() throws IOException {
        try (Scanner fields = new Scanner(sys(device, "stat"), StandardCharsets.US_ASCII)) {
            long[] numbers = fields.tokens().mapToLong(Long::parseLong).toArray();
            return new Traffic(numbers[2] * SECTOR_BYTES, numbers[6] * SECTOR_BYTES);
        }
    }

    private static Path sys(String device, String attribute) {
        return Path.of("/sys/block").resolve(Path.of(device).getFileName()).resolve(attribute);
    }

    /** Thaws, unmounts and removes the disk. */
    @Override
    public void close() throws IOException {
        keeper.getOutputStream().close();
        try {
            if (!keeper.waitFor(CLEAN_UP_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException("not removed within " + CLEAN_UP_SECONDS + " s: " + device + " at " + path);
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

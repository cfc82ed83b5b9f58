/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.faults;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.nio.file.ExtendedOpenOption;
import io.evenkeel.testkit.Commands;
import io.evenkeel.testkit.disk.BadSectors;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import io.evenkeel.testkit.disk.PageCache;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Each fault of a test disk does what it claims. The other device tests rely on this. */
@Timeout(120)
class LoopDiskIT {
    private static final long DISK_BYTES = 128L << 20;
    private static final int FILE_BYTES = 4 << 20;
    private static final int FROZEN_SECONDS = 3;
    private static final int SOON_SECONDS = 10;

    @RegisterExtension
    final Disks disks = new Disks();

    @TempDir
    Path dir = Path.of("target");

    /** An operation on a disk. */
    private interface Operation {
        void run() throws IOException;
    }

    @Test
    void frozenDiskAnswersWhenItIsThawedAndNotBefore() throws Exception {
        LoopDisk disk = disks.ext4(dir, "disk", DISK_BYTES);
        Path file = writeRandom(disk.path().resolve("file"));
        List<CompletableFuture<Void>> operations = disk.whileFrozen(() -> {
            List<CompletableFuture<Void>> begun = List.of(
                    inBackground(() -> read(file, ExtendedOpenOption.DIRECT)),
                    inBackground(() -> writeRandom(disk.path().resolve("other"))));
            assertThatThrownBy(() -> anyOf(begun).get(FROZEN_SECONDS, TimeUnit.SECONDS))
                    .isInstanceOf(TimeoutException.class);
            return begun;
        });
        for (CompletableFuture<Void> operation : operations) {
            operation.get(SOON_SECONDS, TimeUnit.SECONDS);
        }
    }

    @Test
    void badSectorsFailReadsOfThatFileAloneUntilTheyAreWritten() throws Exception {
        BadSectors disk = disks.withBadSectors(dir, "disk", DISK_BYTES);
        Path bad = writeRandom(disk.path().resolve("bad"));
        Path good = writeRandom(disk.path().resolve("good"));
        disk.spoil(bad);
        PageCache.drop(good);
        assertThatThrownBy(() -> read(bad)).isInstanceOf(IOException.class).hasMessageContaining("Input/output");
        assertThatThrownBy(() -> read(bad, ExtendedOpenOption.DIRECT)).hasMessageContaining("Input/output");
        read(good);
        writeRandom(disk.path().resolve("new"));
        Files.delete(bad);
        writeRandom(bad);
        PageCache.drop(bad);
        read(bad);
    }

    @Test
    void refusedWriteFailsTheFsyncAndNoRead() throws Exception {
        LoopDisk disk = disks.ext4(dir, "disk", DISK_BYTES);
        Path file = writeRandom(disk.path().resolve("file"));
        Path other = writeRandom(disk.path().resolve("other"));
        disk.refuseWrites();
        PageCache.drop(file);
        read(file);
        try (FileChannel channel = FileChannel.open(other, WRITE)) {
            channel.write(ByteBuffer.allocate(1 << 20));
            assertThatThrownBy(() -> channel.force(false)).hasMessageContaining("Input/output");
            disk.acceptWrites();
            channel.write(ByteBuffer.allocate(1 << 20), 0);
            channel.force(false);
        }
    }

    @Test
    void fullDiskTakesMoreWhenTheForeignFileIsGone() throws Exception {
        LoopDisk disk = disks.ext4(dir, "disk", DISK_BYTES);
        Path filler = disk.fill(FILE_BYTES / 2);
        assertThatThrownBy(() -> writeRandom(disk.path().resolve("file"))).hasMessageContaining("No space left");
        Files.delete(filler);
        writeRandom(disk.path().resolve("file"));
    }

    @Test
    void readOnlyAndUnmountedDisksAreThat() throws Exception {
        LoopDisk disk = disks.ext4(dir, "disk", DISK_BYTES);
        Path file = writeRandom(disk.path().resolve("file"));
        disk.remount("ro");
        read(file);
        assertThatThrownBy(() -> writeRandom(file)).hasMessageContaining("Read-only");
        disk.unmount();
        assertThat(disk.path()).isEmptyDirectory();
        disk.mount();
        writeRandom(file);
    }

    @Test
    void pageCacheHoldsWhatWasReadUnlessItWasReadDirectly() throws Exception {
        LoopDisk disk = disks.ext4(dir, "disk", DISK_BYTES);
        Path file = writeRandom(disk.path().resolve("file"));
        PageCache.drop(file);
        long before = disk.traffic().readBytes();
        read(file, ExtendedOpenOption.DIRECT);
        assertThat(PageCache.residentBytes(file)).isZero();
        assertThat(disk.traffic().readBytes() - before).isEqualTo(FILE_BYTES);
        read(file);
        assertThat(PageCache.residentBytes(file)).isEqualTo(FILE_BYTES);
        PageCache.drop(file);
        assertThat(PageCache.residentBytes(file)).isZero();
    }

    /** As when a test run is killed while a disk is frozen. */
    @Test
    void nothingIsLeftOfADiskWhoseOwnerWasKilled() throws Exception {
        Process owner = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Owner.class.getName(),
                        dir.toString())
                .redirectErrorStream(true)
                .start();
        try {
            String device = owner.inputReader().readLine();
            assertThat(Files.readString(Path.of("/proc/mounts"))).contains(device + " ");
            owner.destroyForcibly().waitFor();
            await().atMost(Duration.ofSeconds(SOON_SECONDS))
                    .untilAsserted(() -> assertThat(Commands.run("losetup", "--all"))
                            .doesNotContain(dir.toAbsolutePath().toString()));
            await().atMost(Duration.ofSeconds(SOON_SECONDS))
                    .untilAsserted(() -> assertThat(dir).isEmptyDirectory());
            assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(device + " ");
        } finally {
            owner.destroyForcibly();
        }
    }

    /** Freezes a disk, names its device, and waits to be killed. */
    static final class Owner {
        private Owner() {}

        public static void main(String[] args) throws Exception {
            LoopDisk disk = LoopDisk.ext4(Path.of(args[0]), "disk", DISK_BYTES);
            disk.freeze();
            System.out.println(disk.device());
            Thread.currentThread().join();
        }
    }

    private static CompletableFuture<Object> anyOf(List<CompletableFuture<Void>> operations) {
        return CompletableFuture.anyOf(operations.toArray(CompletableFuture[]::new));
    }

    private static CompletableFuture<Void> inBackground(Operation operation) {
        return CompletableFuture.runAsync(() -> {
            try {
                operation.run();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    private static Path writeRandom(Path file) throws IOException {
        byte[] bytes = new byte[FILE_BYTES];
        new Random(file.hashCode()).nextBytes(bytes);
        try (FileChannel channel = FileChannel.open(file, CREATE, TRUNCATE_EXISTING, WRITE)) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes);
            while (buffer.hasRemaining()) {
                channel.write(buffer);
            }
            channel.force(true);
        }
        return file;
    }

    private static void read(Path file, OpenOption... how) throws IOException {
        OpenOption[] options = Arrays.copyOf(how, how.length + 1);
        options[how.length] = READ;
        ByteBuffer buffer = ByteBuffer.allocateDirect(FILE_BYTES + 4096).alignedSlice(4096);
        buffer.limit(FILE_BYTES);
        try (FileChannel channel = FileChannel.open(file, options)) {
            while (buffer.hasRemaining() && channel.read(buffer) > 0) {
                // on
            }
        }
        assertThat(buffer.hasRemaining()).isFalse();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.flush.disk.MappedFileFsync;
import io.evenkeel.testkit.Commands;
import io.evenkeel.testkit.disk.CutDisks;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.storage.internals.log.TimeIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** An fsync through a second descriptor also flushes Kafka's writes to an index through its mapping. */
@Timeout(120)
class MappedFileIT {
    private static final long DISK_BYTES = 128L << 20;
    private static final int INDEX_BYTES = 10 << 20;
    private static final long TIMESTAMP = 0x0102030405060708L;

    @RegisterExtension
    final Disks disks = new Disks();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void flushedIndexOutlivesAPowerCutAndUnflushedDoesNot() throws Exception {
        CutDisks power = disks.withPowerCuts(dir);
        Path hdd = power.path("hdd");
        TimeIndex flushed = index(hdd.resolve("flushed.timeindex"));
        TimeIndex linked = index(Files.createDirectory(hdd.resolve("tier")).resolve("linked.timeindex"));
        Path link = Files.createSymbolicLink(hdd.resolve("linked.timeindex"), Path.of("tier/linked.timeindex"));
        TimeIndex left = index(hdd.resolve("left.timeindex"));
        power.writeBackAll();
        for (TimeIndex index : new TimeIndex[] {flushed, linked, left}) {
            index.maybeAppend(TIMESTAMP, 7, true);
        }
        assertThat(MappedFileFsync.fsync(flushed.file().toPath())).isTrue();
        assertThat(MappedFileFsync.fsync(link)).isTrue();
        power.cut();
        for (TimeIndex index : new TimeIndex[] {flushed, linked, left}) {
            index.closeHandler();
        }
        power.powerOn();
        assertThat(first(flushed)).isEqualTo(TIMESTAMP);
        assertThat(first(linked)).isEqualTo(TIMESTAMP);
        assertThat(first(left)).as("or this test proves nothing").isZero();
    }

    /** The kernel's writeback has failed, and no open descriptor has reported the error yet. */
    @Test
    void anErrorThatNobodyHasBeenToldIsTold() throws Exception {
        LoopDisk disk = disks.ext4(dir, "disk", DISK_BYTES);
        TimeIndex index = index(disk.path().resolve("0.timeindex"));
        Commands.run("sync", "-f", disk.path().toString());
        index.maybeAppend(TIMESTAMP, 7, true);
        disk.refuseWrites();
        assertThatThrownBy(() -> Commands.run("sync", "-f", disk.path().toString()))
                .hasMessageContaining("Input/output");
        assertThatThrownBy(() -> MappedFileFsync.fsync(index.file().toPath()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(index.file().toString());
        index.closeHandler();
        disk.acceptWrites();
    }

    private static TimeIndex index(Path file) throws IOException {
        return new TimeIndex(file.toFile(), 0, INDEX_BYTES, true);
    }

    private static long first(TimeIndex index) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(index.file(), "r")) {
            return file.readLong();
        }
    }
}

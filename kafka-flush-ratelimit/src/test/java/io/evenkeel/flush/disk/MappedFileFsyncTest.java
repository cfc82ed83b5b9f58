/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** MappedFileIT tests what is on the disk afterwards. */
@EnabledOnOs(OS.LINUX)
class MappedFileFsyncTest {
    @TempDir
    Path dir;

    @Test
    void flushesAFileAndTheOneBehindALink() throws Exception {
        Path file = dir.resolve("0.index");
        try (RandomAccessFile index = new RandomAccessFile(file.toFile(), "rw")) {
            index.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, 4096).putLong(1);
            Path link = Files.createSymbolicLink(dir.resolve("link"), file);
            assertThat(MappedFileFsync.fsync(file)).isTrue();
            assertThat(MappedFileFsync.fsync(link)).isTrue();
        }
    }

    /** The mapping is of the file, whatever its name. */
    @Test
    void leavesAFileThatHasNoSuchNameToItsMapping() throws Exception {
        assertThat(MappedFileFsync.fsync(dir.resolve("0.index"))).isFalse();
        assertThat(MappedFileFsync.fsync(dir.resolve("gone/0.index"))).isFalse();
        assertThat(MappedFileFsync.fsync(Files.createSymbolicLink(dir.resolve("link"), dir.resolve("gone"))))
                .isFalse();
        assertThat(dir.resolve("gone")).doesNotExist();
    }

    /** Nor a lack of file handles: Kafka's own flush needs none. */
    @Test
    void aFileThatCannotBeOpenedIsNoFailureOfTheDisk() throws Exception {
        assertThat(MappedFileFsync.fsync(dir)).isFalse();
    }

    @Test
    void whatCannotBeFlushedIsAnErrorThatNamesThePath() throws Exception {
        Path link = Files.createSymbolicLink(dir.resolve("0.index"), Path.of("/dev/full"));
        assertThatThrownBy(() -> MappedFileFsync.fsync(link))
                .isExactlyInstanceOf(IOException.class)
                .hasMessageContaining(link.toString());
    }
}

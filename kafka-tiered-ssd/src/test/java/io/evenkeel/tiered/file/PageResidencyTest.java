/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageResidencyTest {
    private static final int BYTES = 1 << 20;

    @TempDir
    Path dir = Path.of("target");

    @Test
    void whatWasJustWrittenIsThereAndWhatWasDroppedIsNot() throws Exception {
        Path file = Files.write(dir.resolve("file"), new byte[BYTES]);
        try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
            assertThat(PageResidency.isResident(channel, 0, BYTES)).isTrue();
            assertThat(PageResidency.isResident(channel, 4097, 10)).isTrue();
            channel.force(true);
            Process drop = new ProcessBuilder("dd", "if=" + file, "iflag=nocache", "count=0", "status=none").start();
            assertThat(drop.waitFor()).isZero();
            assertThat(PageResidency.isResident(channel, 0, BYTES)).isFalse();
            assertThat(PageResidency.isResident(channel, BYTES / 2, 10)).isFalse();
        }
    }

    /** A mapping behind the end would lengthen the file. */
    @Test
    void theFileKeepsItsLength() throws Exception {
        Path file = Files.write(dir.resolve("file"), new byte[100]);
        try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
            assertThat(PageResidency.isResident(channel, 0, 1 << 20)).isTrue();
            assertThat(PageResidency.isResident(channel, 100, 1)).isTrue();
            assertThat(PageResidency.isResident(channel, 5000, 1)).isTrue();
            assertThat(channel.size()).isEqualTo(100);
        }
    }
}

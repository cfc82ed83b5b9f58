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

    /** The JVM warns of a class that uses {@code Unsafe} on JDK 25: run this test on one to see that ours does not. */
    @Test
    void theJvmHasNothingToSay() throws Exception {
        Path said = dir.resolve("said");
        Process jvm = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Looks.class.getName(),
                        Files.write(dir.resolve("file"), new byte[BYTES]).toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        assertThat(jvm.waitFor()).isZero();
        assertThat(said).hasContent("resident: true");
    }

    /** A program that looks at one file. */
    static final class Looks {
        private Looks() {}

        public static void main(String[] file) throws Exception {
            try (FileChannel channel = FileChannel.open(Path.of(file[0]), READ)) {
                System.out.println("resident: " + PageResidency.isResident(channel, 0, BYTES));
            }
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.inspect.CopyComparison.Outcome;
import io.evenkeel.tiered.inspect.CopyComparison.Result;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Equal, different, and changing files. */
class CopyComparisonTest {
    private static final int CHUNK = DirectIoBuffer.CHUNK_BYTES;

    @TempDir
    Path dir;

    private final CopyComparison comparison = new CopyComparison();
    private final AtomicLong readBytes = new AtomicLong();

    private Path[] copies(int length) throws IOException {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Path hdd = Files.write(dir.resolve("hdd.log"), bytes);
        Path ssd = Files.write(dir.resolve("ssd.log"), bytes);
        sameTime(hdd, ssd);
        return new Path[] {hdd, ssd};
    }

    private static void sameTime(Path hdd, Path ssd) throws IOException {
        Files.setLastModifiedTime(hdd, FileTime.fromMillis(1_700_000_000_000L));
        Files.setLastModifiedTime(ssd, FileTime.fromMillis(1_700_000_000_000L));
    }

    private static void flip(Path file, long position) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, position);
            channel.write(ByteBuffer.wrap(new byte[] {(byte) ~one.get(0)}), position);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 65_536, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK})
    void equalCopiesAreTheSame(int length) throws IOException {
        Path[] copies = copies(length);
        assertThat(comparison.compare(copies[0], copies[1], readBytes::addAndGet))
                .isEqualTo(new Outcome(Result.SAME, -1));
        assertThat(readBytes).hasValue(2L * length);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, CHUNK - 1, CHUNK, CHUNK + 4999})
    void oneFlippedByteIsFound(int position) throws IOException {
        Path[] copies = copies(CHUNK + 5000);
        flip(copies[0], position);
        sameTime(copies[0], copies[1]);
        assertThat(comparison.compare(copies[0], copies[1], readBytes::addAndGet))
                .isEqualTo(new Outcome(Result.DIFFERENT, position / CHUNK * (long) CHUNK));
    }

    @Test
    void filesOfDifferentAgeAreNotTwoCopies() throws IOException {
        Path[] copies = copies(1000);
        Files.setLastModifiedTime(copies[1], FileTime.fromMillis(1_700_000_001_001L));
        assertThat(comparison
                        .compare(copies[0], copies[1], readBytes::addAndGet)
                        .result())
                .isEqualTo(Result.NOT_CACHED);
        assertThat(readBytes).hasValue(0);
    }

    @Test
    void segmentEvictedUnderTheComparisonIsNoDifference() throws IOException {
        Path[] copies = copies(CHUNK + 1000);
        flip(copies[1], CHUNK + 10);
        sameTime(copies[0], copies[1]);
        Outcome outcome = comparison.compare(copies[0], copies[1], bytes -> delete(copies[1]));
        assertThat(outcome.result()).isEqualTo(Result.NOT_CACHED);
    }

    @Test
    void filesReplacedUnderTheComparisonAreLookedAtAgain() throws IOException {
        Path[] copies = copies(CHUNK + 1000);
        flip(copies[1], CHUNK + 10);
        sameTime(copies[0], copies[1]);
        AtomicInteger chunks = new AtomicInteger();
        Outcome outcome = comparison.compare(copies[0], copies[1], bytes -> {
            if (chunks.incrementAndGet() == 1) {
                replace(copies[0], copies[1]);
            }
        });
        assertThat(outcome.result()).isEqualTo(Result.SAME);
        assertThat(chunks).hasValueGreaterThan(2);
    }

    /** Truncated, written and copied again: other files of the same length and, here, even of the same age. */
    private void replace(Path hdd, Path ssd) {
        try {
            byte[] fresh = new byte[CHUNK + 1000];
            for (Path file : new Path[] {hdd, ssd}) {
                Path temporary = Files.write(dir.resolve("temporary"), fresh);
                Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
            }
            sameTime(hdd, ssd);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void fileThatCannotBeReadIsNamed() throws IOException {
        Path[] copies = copies(1000);
        FileOps files = new FileOps() {
            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                FileChannel channel = super.open(file, options);
                if (file.equals(copies[0])) {
                    channel.close();
                }
                return channel;
            }
        };
        CopyComparison broken = new CopyComparison(files, new DirectIoBuffer());
        assertThatThrownBy(() -> broken.compare(copies[0], copies[1], bytes -> {}))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Cannot read at 0")
                .hasMessageEndingWith(copies[0] + " (hdd)");
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

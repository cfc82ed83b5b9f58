/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.storage.internals.log.AbstractIndex;
import org.apache.kafka.storage.internals.log.LogConfig;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IndexRoomTest {
    private static final long SEED = Long.getLong("seed", System.nanoTime());
    private static final int INTERVAL_BYTES = 4096;
    private static final int INDEX_BYTES = 40_000;
    private static final int BLOCK_BYTES = 512;
    private static final int APPENDS = 300;

    @TempDir
    Path dir = Path.of("target");

    private LogSegment open() throws IOException {
        Properties config = new Properties();
        config.put("segment.index.bytes", INDEX_BYTES);
        return LogSegment.open(dir.toFile(), 0, new LogConfig(config), Time.SYSTEM, 0, false);
    }

    @Test
    void thePagesOfEachEntryAreThereBeforeIt() throws Exception {
        try (LogSegment segment = open()) {
            Random random = new Random(SEED);
            int entries = 0;
            for (int i = 0; i < APPENDS; i++) {
                int added = random.nextInt(10);
                IndexRoom.reserve(segment, (long) added * INTERVAL_BYTES, INTERVAL_BYTES);
                long room = allocatedBytes(segment.offsetIndex());
                for (int k = 0; k <= added && !segment.offsetIndex().isFull(); k++) {
                    entries++;
                    segment.offsetIndex().append(entries, entries * 3);
                    segment.timeIndex().maybeAppend(entries, entries);
                }
                assertThat(room)
                        .as("%d entries, -Dseed=%d", entries, SEED)
                        .isGreaterThanOrEqualTo(segment.offsetIndex().sizeInBytes());
            }
            for (int entry = 1; entry <= entries; entry++) {
                assertThat(segment.offsetIndex().lookup(entry).position())
                        .as("entry %d, -Dseed=%d", entry, SEED)
                        .isEqualTo(entry * 3);
            }
        }
    }

    /** What Kafka has truncated stays behind the last entry, as in stock. */
    @Test
    void noByteChanges() throws Exception {
        try (LogSegment segment = open()) {
            for (int entry = 1; entry < INDEX_BYTES / 8; entry++) {
                segment.offsetIndex().append(entry, entry);
            }
            Path index = segment.offsetIndex().file().toPath();
            segment.offsetIndex().truncateTo(1);
            byte[] before = Files.readAllBytes(index);
            IndexRoom.reserve(segment, 1L << 40, 0);
            assertThat(Files.readAllBytes(index)).isEqualTo(before);
        }
    }

    /** Records without timestamps never get an entry in the time index. */
    @Test
    void indexWithoutEntriesGetsItsPageOnce() throws Exception {
        try (LogSegment segment = open()) {
            IndexRoom.reserve(segment, 1, INTERVAL_BYTES);
            Path index = segment.timeIndex().file().toPath();
            FileTime before = FileTime.fromMillis(1_000);
            Files.setLastModifiedTime(index, before);
            IndexRoom.reserve(segment, 1, INTERVAL_BYTES);
            assertThat(Files.getLastModifiedTime(index)).isEqualTo(before);
            IndexRoom.forget(segment);
            IndexRoom.reserve(segment, 1, INTERVAL_BYTES);
            assertThat(Files.getLastModifiedTime(index)).isNotEqualTo(before);
        }
    }

    /** Else the index would be longer than Kafka has mapped it. */
    @Test
    void noRoomIsMadeBeyondTheEnd() throws Exception {
        try (LogSegment segment = open()) {
            long bytes = segment.offsetIndex().length();
            IndexRoom.reserve(segment, 1L << 40, 0);
            assertThat(Files.size(segment.offsetIndex().file().toPath())).isEqualTo(bytes);
            assertThat(allocatedBytes(segment.offsetIndex())).isGreaterThanOrEqualTo(bytes);
        }
    }

    @Test
    void saysWhichIndexCannotBeWritten() throws Exception {
        try (LogSegment segment = open()) {
            Path index = segment.timeIndex().file().toPath();
            Path kept = Files.move(index, dir.resolve("kept"));
            Files.createSymbolicLink(index, Path.of("/dev/full"));
            assertThatThrownBy(() -> IndexRoom.reserve(segment, 1, INTERVAL_BYTES))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("Cannot write a page at 0 of " + index)
                    .hasRootCauseMessage("No space left on device");
            Files.move(kept, index, REPLACE_EXISTING);
        }
    }

    /** Stock goes on as well: a lack of file handles, for instance, is no fault of the disk. */
    @Test
    void indexThatCannotBeOpenedIsLeftAlone() throws Exception {
        try (LogSegment segment = open()) {
            Path index = segment.timeIndex().file().toPath();
            Path kept = Files.move(index, dir.resolve("kept"));
            Files.createDirectory(index);
            IndexRoom.reserve(segment, 1, INTERVAL_BYTES);
            Files.move(kept, index, REPLACE_EXISTING);
            assertThat(allocatedBytes(segment.timeIndex())).isZero();
            IndexRoom.reserve(segment, 1, INTERVAL_BYTES);
            assertThat(allocatedBytes(segment.timeIndex()))
                    .as("the next append tries again")
                    .isPositive();
        }
    }

    private static long allocatedBytes(AbstractIndex index) throws Exception {
        Process stat = new ProcessBuilder("stat", "-c", "%b", index.file().getPath()).start();
        String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        assertThat(stat.waitFor()).isZero();
        return Long.parseLong(blocks) * BLOCK_BYTES;
    }
}

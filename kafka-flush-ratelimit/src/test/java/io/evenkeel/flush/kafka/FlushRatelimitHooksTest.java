/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.kafka.storage.internals.log.OffsetIndex;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What is done with an index of Kafka's, whatever has become of its file meanwhile. */
@EnabledOnOs(OS.LINUX)
class FlushRatelimitHooksTest {
    @TempDir
    Path dir = Path.of("target");

    @Test
    void anIndexIsFlushedWhateverItsName() throws IOException {
        try (OffsetIndex index = index()) {
            index.append(5, 1);
            assertThat(FlushRatelimitHooks.flushedOrDeleted(index.file())).isTrue();
            index.renameTo(dir.resolve("0.index.deleted").toFile());
            assertThat(FlushRatelimitHooks.flushedOrDeleted(index.file())).isTrue();
        }
    }

    @Test
    void oneThatIsDeletedNeedsNoFlush() throws IOException {
        OffsetIndex index = index();
        index.renameTo(dir.resolve("0.index.deleted").toFile());
        index.deleteIfExists();
        assertThat(FlushRatelimitHooks.flushedOrDeleted(index.file())).isTrue();
    }

    /** Kafka renames the file, or its directory, before the index knows. */
    @Test
    void oneThatIsBeingRenamedIsKafkasToFlush() throws IOException {
        try (OffsetIndex index = index()) {
            File before = index.file();
            index.renameTo(dir.resolve("0.index.swap").toFile());
            assertThat(FlushRatelimitHooks.flushedOrDeleted(before)).isFalse();
        }
    }

    @Test
    void aFailureIsAnErrorOfTheDisk() throws IOException {
        Path index = Files.createSymbolicLink(dir.resolve("0.index"), Path.of("/dev/full")); // it takes no fsync
        assertThatThrownBy(() -> FlushRatelimitHooks.flushedOrDeleted(index.toFile()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(index.toString());
    }

    @Test
    void nobodyElsesFlushIsTouched() throws IOException {
        assertThat(FlushRatelimitHooks.flushesIndex(dir.resolve("0.index").toFile()))
                .isFalse();
    }

    private OffsetIndex index() throws IOException {
        return new OffsetIndex(dir.resolve("0.index").toFile(), 0, 4096, true);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.Device;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackingFileTest {
    @Test
    void isDrainedWhenTheLastPinHasLeftAndTakesNoNewOnes(@TempDir Path dir) throws IOException {
        Path file = Files.createFile(dir.resolve("file"));
        try (FileChannel channel = FileChannel.open(file)) {
            BackingFile backingFile = new BackingFile(Device.SSD, file, channel);
            assertThat(backingFile.tryPin()).isTrue();
            assertThat(backingFile.tryPin()).isTrue();
            backingFile.unpin();
            backingFile.retire();
            assertThat(backingFile.tryPin()).isFalse();
            assertThat(backingFile.isDrained()).isFalse();
            backingFile.unpin();
            assertThat(backingFile.isDrained()).isTrue();
            assertThat(backingFile.tryPin()).isFalse();
            assertThat(backingFile.isDrained()).isTrue();
        }
    }
}

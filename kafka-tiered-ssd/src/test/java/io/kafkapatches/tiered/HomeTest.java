/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HomeTest {
    @Test
    void isDrainedWhenTheLastPinHasLeftAndTakesNoNewOnes(@TempDir Path dir) throws IOException {
        Path file = Files.createFile(dir.resolve("file"));
        try (FileChannel channel = FileChannel.open(file)) {
            Home home = new Home(Device.SSD, file, channel);
            assertThat(home.tryPin()).isTrue();
            assertThat(home.tryPin()).isTrue();
            home.unpin();
            home.retire();
            assertThat(home.tryPin()).isFalse();
            assertThat(home.isDrained()).isFalse();
            home.unpin();
            assertThat(home.isDrained()).isTrue();
            assertThat(home.tryPin()).isFalse();
            assertThat(home.isDrained()).isTrue();
        }
    }
}

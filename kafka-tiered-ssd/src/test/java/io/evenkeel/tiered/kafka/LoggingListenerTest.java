/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.junit.jupiter.api.Test;

class LoggingListenerTest {
    private static final Path FIRST = Path.of("/disk1/kafka");
    private static final Path SECOND = Path.of("/disk2/kafka");

    private final LogDirFailureChannel failures = new LogDirFailureChannel(2);
    private final LoggingListener listener = new LoggingListener(
            failures, LogDirs.names(Map.of("log.dirs", "/disk1/./kafka/, /disk2//kafka")), Path.of("/metadata"));

    @Test
    void aStorageErrorTakesTheLogDirectoryOffline() throws InterruptedException {
        fail(FIRST);
        assertThat(failures.takeNextOfflineLogDir())
                .as("the name that Kafka's logs have for their directory")
                .isEqualTo("/disk1/./kafka");
        assertThat(failures.hasOfflineLogDir("/disk2/kafka")).isFalse();
        fail(SECOND);
        assertThat(failures.takeNextOfflineLogDir()).isEqualTo("/disk2/kafka");
    }

    @Test
    void theSameDirectoryFailsOnce() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            fail(SECOND);
        }
        fail(FIRST);
        assertThat(failures.takeNextOfflineLogDir()).isEqualTo("/disk2/kafka");
        assertThat(failures.takeNextOfflineLogDir()).isEqualTo("/disk1/./kafka");
    }

    @Test
    void anUnreadableSegmentTakesItsLogDirectoryOfflineUnlessItIsTheLastOne() throws InterruptedException {
        unreadable(FIRST);
        assertThat(failures.takeNextOfflineLogDir()).isEqualTo("/disk1/./kafka");
        unreadable(SECOND);
        assertThat(failures.hasOfflineLogDir("/disk2/kafka")).isFalse();
    }

    @Test
    void noUnreadableSegmentTakesTheMetadataOffline() {
        LoggingListener withMetadata =
                new LoggingListener(failures, LogDirs.names(Map.of("log.dirs", "/disk1/kafka,/disk2/kafka")), FIRST);
        withMetadata.unreadable(FIRST, FIRST.resolve("t-0/00000000000000000000.log"), new IOException("bad sector"));
        assertThat(failures.hasOfflineLogDir("/disk1/kafka")).isFalse();
    }

    @Test
    void theMetadataAreInTheFirstLogDirectoryUnlessTheConfigSaysElse() {
        assertThat(LogDirs.ofMetadata(Map.of("log.dirs", "/disk1/./kafka/,/disk2/kafka")))
                .isEqualTo(FIRST);
        assertThat(LogDirs.ofMetadata(Map.of("log.dirs", "/disk1/kafka", "metadata.log.dir", "/disk2/kafka/")))
                .isEqualTo(SECOND);
    }

    private void unreadable(Path logDir) {
        listener.unreadable(logDir, logDir.resolve("t-0/00000000000000000000.log"), new IOException("bad sector"));
    }

    private void fail(Path logDir) {
        listener.storageError(logDir, logDir.resolve("t-0/00000000000000000000.log"), new IOException("bad sector"));
    }
}

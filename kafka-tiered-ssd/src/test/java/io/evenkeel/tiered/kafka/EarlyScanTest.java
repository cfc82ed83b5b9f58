/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.tiered.TieredFileChannel;
import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.disk.LogDirLocks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EarlyScanTest {
    @TempDir
    Path dir;

    private Path hdd = Path.of("");
    private Path ssd = Path.of("");
    private List<LogDirMeta> logDirs = List.of();

    @BeforeEach
    void format() throws IOException {
        hdd = Files.createDirectories(dir.resolve("hdd"));
        ssd = Files.createDirectories(dir.resolve("ssd"));
        Properties meta = new Properties();
        meta.putAll(Map.of("version", "1", "directory.id", "id-0", "cluster.id", "cluster", "node.id", "1"));
        try (var writer = Files.newBufferedWriter(hdd.resolve("meta.properties"))) {
            meta.store(writer, null);
        }
        logDirs = List.of(LogDirs.identity(hdd));
    }

    @Test
    void noOtherProcessCanLockTheLogDirectoriesWhileItIsOpen() throws IOException {
        try (EarlyScan scan = EarlyScan.begin(logDirs, List.of(ssd))) {
            assertThatExceptionOfType(LogDirLocks.InUseException.class)
                    .isThrownBy(() -> LogDirLocks.take(logDirs, "stop it").close());
            assertThat(scan.covers(logDirs, List.of(ssd))).isTrue();
            assertThat(scan.covers(logDirs, List.of(hdd))).isFalse();
            assertThat(scan.result()).isNotNull();
        }
        assertThat(hdd.resolve(".lock")).as("it was not there before").doesNotExist();
        LogDirLocks.take(logDirs, "stop it").close();
    }

    @Test
    void anUnreadableDirectoryIsReportedWhenTheResultIsAskedFor() throws IOException {
        Path loop = Files.createSymbolicLink(dir.resolve("loop"), dir.resolve("loop"));
        try (EarlyScan scan = EarlyScan.begin(logDirs, List.of(loop))) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(scan::result)
                    .isNotInstanceOf(NotDirectoryException.class)
                    .withMessageContaining("loop");
        }
    }

    @Test
    void aStartBesideARunningBrokerIsRefusedAndChangesNothing() throws IOException {
        assertThat(start()).isNotNull(); // claims the SSD
        Path orphan = Files.createDirectories(ssd.resolve("id-0/topic-0")).resolve("00000000000000000000.log");
        Files.createFile(orphan);
        try (LogDirLocks running = LogDirLocks.take(logDirs, "")) {
            assertThat(running).isNotNull();
            assertThat(TierStart.scanEarly(config())).isNull();
            assertThatExceptionOfType(LogDirLocks.InUseException.class)
                    .isThrownBy(this::start)
                    .withMessage("A broker runs on " + hdd + ": stop it first. Nothing has been changed.");
            assertThat(orphan).exists();
        }
        assertThat(start()).isNotNull();
        assertThat(orphan).doesNotExist();
    }

    @Test
    void anEarlyScanIsUsedAndItsLocksAreReleased() throws IOException {
        EarlyScan early = TierStart.scanEarly(config());
        assertThat(early).isNotNull();
        RunningTier tier = TierStart.run(config(), new LogDirFailureChannel(1), early);
        assertThat(tier).isNotNull();
        LogDirLocks.take(logDirs, "stop it").close();
    }

    @Test
    void aLogDirectoryWhoseLockCannotBeTakenIsLeftOut() throws IOException {
        Files.createDirectory(hdd.resolve(".lock"));
        try (EarlyScan scan = EarlyScan.begin(logDirs, List.of(ssd))) {
            assertThat(scan.locked()).isEmpty();
        }
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(this::start)
                .withMessageContaining("could not lock any log directory");
    }

    @Test
    void anEarlyScanOfOtherDirectoriesIsDiscarded() throws IOException {
        EarlyScan elsewhere = EarlyScan.begin(logDirs, List.of(dir.resolve("other")));
        assertThat(TierStart.run(config(), new LogDirFailureChannel(1), elsewhere))
                .isNotNull();
    }

    /** As when the broker before gives the locks back a moment before its workers end. */
    @Test
    void segmentsCopiedAndEvictedSinceTheScanAreNotMissed() throws IOException {
        assertThat(start()).isNotNull(); // claims the SSD
        Path copied = segment(0);
        Path evicted = segment(1);
        Path onSsd = ssd.resolve("id-0/topic-0");
        Files.copy(copied, onSsd.resolve(copied.getFileName()), COPY_ATTRIBUTES);
        Files.copy(evicted, onSsd.resolve(evicted.getFileName()), COPY_ATTRIBUTES);
        byte[] bytes = Files.readAllBytes(copied);
        Files.delete(copied);
        Files.createSymbolicLink(copied, onSsd.resolve(copied.getFileName()));

        EarlyScan early = requireNonNull(TierStart.scanEarly(config()));
        early.result();
        Files.delete(copied);
        Files.write(copied, bytes);
        Files.delete(onSsd.resolve(copied.getFileName()));
        Files.delete(onSsd.resolve(evicted.getFileName()));

        RunningTier tier = requireNonNull(TierStart.run(config(), new LogDirFailureChannel(1), early));
        for (Path segment : List.of(copied, evicted)) {
            OpenRequest request = new OpenRequest(1 << 20, 0, null);
            try (FileChannel channel = requireNonNull(tier.tier().open(segment, request))) {
                assertThat(channel.size()).isEqualTo(bytes.length);
                assertThat(((TieredFileChannel) channel).device()).isEqualTo(Device.HDD);
            }
        }
    }

    private Path segment(int baseOffset) throws IOException {
        Files.createDirectories(ssd.resolve("id-0/topic-0"));
        Path partition = Files.createDirectories(hdd.resolve("topic-0"));
        return Files.writeString(partition.resolve("%020d.log".formatted(baseOffset)), "records");
    }

    private @Nullable RunningTier start() throws IOException {
        return TierStart.run(config(), new LogDirFailureChannel(1), null);
    }

    private Map<String, Object> config() {
        return Map.of(
                "log.dirs", hdd.toString(),
                "tiered.ssd.dirs", ssd.toString(),
                "tiered.ssd.capacity.bytes", "100000000");
    }
}

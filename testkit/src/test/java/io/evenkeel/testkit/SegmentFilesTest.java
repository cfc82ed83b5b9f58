/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import static java.nio.file.StandardCopyOption.ATOMIC_MOVE;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.testkit.SegmentFiles.State;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A scan of the disks while the tier is at work. */
class SegmentFilesTest {
    private static final int LOOKS = 2000;

    @TempDir
    Path dir = Path.of("target");

    private Path hddFile = dir;
    private Path ssdFile = dir;
    private BrokerConfig config = BrokerConfig.under(dir, 1, 1);

    /** A change to the files, repeated while another thread scans them. */
    private interface Change {
        void make() throws IOException;
    }

    @BeforeEach
    void makeDirectories() throws IOException {
        config = BrokerConfig.under(dir, 1, 1);
        Path logDir = config.logDirs().get(0);
        Path hdd = Files.createDirectories(logDir.resolve("topic-0"));
        Path ssd = Files.createDirectories(config.ssdDirs().get(0).resolve("id").resolve("topic-0"));
        Files.writeString(logDir.resolve("meta.properties"), "directory.id=id\n");
        hddFile = hdd.resolve("00000000000000000000.log");
        ssdFile = ssd.resolve("00000000000000000000.log");
    }

    @Test
    void segmentThatIsEvictedMeanwhileIsFound() throws IOException {
        Files.writeString(hddFile, "records");
        whileChanging(
                () -> {
                    Files.copy(hddFile, ssdFile);
                    Files.delete(ssdFile);
                },
                () -> assertThat(SegmentFiles.of(config).segments()).hasSize(1));
    }

    @Test
    void segmentIsOnlyOnTheSsdAsLongAsItsPathIsALink() throws IOException {
        Files.writeString(ssdFile, "records");
        Path temporary = dir.resolve("temporary");
        whileChanging(
                () -> {
                    Files.move(Files.copy(ssdFile, temporary), hddFile, ATOMIC_MOVE);
                    Files.move(Files.createSymbolicLink(temporary, ssdFile), hddFile, ATOMIC_MOVE);
                },
                () -> assertThat(SegmentFiles.of(config).in(State.ONLY_CACHE))
                        .allMatch(segment -> ssdFile.equals(segment.ssdFile())));
    }

    private static void whileChanging(Change change, Runnable look) {
        AtomicBoolean enough = new AtomicBoolean();
        CompletableFuture<Void> changing = CompletableFuture.runAsync(() -> {
            try {
                while (!enough.get()) {
                    change.make();
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        try {
            for (int i = 0; i < LOOKS; i++) {
                look.run();
            }
        } finally {
            enough.set(true);
            changing.join();
        }
    }
}

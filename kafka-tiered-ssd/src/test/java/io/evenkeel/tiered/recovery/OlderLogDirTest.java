/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.identity.IdentityFile;
import io.evenkeel.tiered.inspect.DiskProblem;
import io.evenkeel.tiered.inspect.DiskSurvey;
import io.evenkeel.tiered.inspect.OfflineDrain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An older image of a log directory beside a current SSD: no file is removed, whoever looks. */
class OlderLogDirTest {
    @TempDir
    Path root;

    private FakeBroker broker;
    private Path hdd;
    private Path ssd;
    private Map<Path, byte[]> onSsd;

    /** The image is older than the newest segment of one topic, and than all of another. */
    @BeforeEach
    void putAnOlderImageInPlace() throws Exception {
        broker = new FakeBroker(root, 1, 1, 8 * FakeBroker.SEGMENT_BYTES);
        hdd = broker.hdds.get(0);
        ssd = broker.ssds.get(0);
        FakeBroker.append(broker.open(FakeBroker.segment(broker.partition("topic-0"), 0)), new byte[100]);
        Path image = root.resolve("image");
        StartRefusalTest.copy(hdd, image);
        broker.restart();
        FakeBroker.append(broker.open(FakeBroker.segment(broker.partition("topic-0"), 100)), new byte[200]);
        FakeBroker.append(broker.open(FakeBroker.segment(broker.partition("new-0"), 0)), new byte[300]);
        Files.move(hdd, root.resolve("current"));
        Files.move(image, hdd);
        onSsd = onSsd();
    }

    private Map<Path, byte[]> onSsd() throws IOException {
        Map<Path, byte[]> files = new TreeMap<>();
        List<Path> all = new ArrayList<>(broker.ssdFiles());
        all.add(ssd.resolve(IdentityFile.FILE_NAME));
        for (Path file : all) {
            files.put(file, Files.readAllBytes(file));
        }
        return files;
    }

    private void assertNothingHasChanged() throws IOException {
        Map<Path, byte[]> now = onSsd();
        assertThat(now).containsOnlyKeys(onSsd.keySet());
        now.forEach((file, bytes) -> assertThat(Arrays.equals(bytes, onSsd.get(file)))
                .as(file.toString())
                .isTrue());
    }

    @Test
    void startIsRefusedAndTheRightDiskStartsAgain() throws Exception {
        for (OnMissing onMissing : OnMissing.values()) {
            broker.configure(onMissing);
            assertThatThrownBy(broker::restart)
                    .hasMessageContaining("Nothing has been changed")
                    .hasMessageContaining(hdd + " is older than " + ssd)
                    .hasMessageContaining("Mount the right disk")
                    .hasMessageContaining("move " + ssd.resolve("id-0") + " elsewhere");
            assertNothingHasChanged();
        }
        Files.move(hdd, root.resolve("image"));
        Files.move(root.resolve("current"), hdd);
        broker.restart();
        assertThat(Files.size(FakeBroker.segment(hdd.resolve("topic-0"), 100))).isEqualTo(200);
        assertThat(Files.size(FakeBroker.segment(hdd.resolve("new-0"), 0))).isEqualTo(300);
    }

    @Test
    void imageFromBeforeTheTierWasInstalledIsOlderAsWell() throws Exception {
        Files.delete(hdd.resolve(IdentityFile.FILE_NAME));
        assertThatThrownBy(broker::restart).hasMessageContaining(hdd + " is older than " + ssd);
        assertNothingHasChanged();
    }

    @Test
    void offlineDrainIsRefusedAndTheSurveyNamesTheLogDirectory() throws Exception {
        assertThatThrownBy(() -> new OfflineDrain(new FileOps(), broker.identities(), broker.ssds))
                .hasMessageContaining("is older than")
                .hasMessageContaining("OLDER_LOG_DIR");
        assertThat(DiskSurvey.take(broker.identities(), broker.ssds).problems())
                .anyMatch(problem -> problem.kind() == DiskProblem.Kind.OLDER_LOG_DIR
                        && problem.path().equals(hdd));
        assertNothingHasChanged();
    }

    @Test
    void imageCanBeUsedWhenTheFilesOnTheSsdAreMovedAway() throws Exception {
        Files.move(ssd.resolve("id-0"), root.resolve("kept"));
        assertThatThrownBy(broker::restart)
                .hasMessageContaining(ssd + " lacks files")
                .hasMessageContaining("tiered.ssd.on.missing=truncate");
        broker.configure(OnMissing.TRUNCATE);
        broker.restart();
        assertThat(Files.size(FakeBroker.segment(hdd.resolve("topic-0"), 0))).isZero();
        assertThat(root.resolve("kept/new-0")).isNotEmptyDirectory();
    }

    @Test
    void emptiedLogDirectoryOfAnotherIdIsNotOlder() throws Exception {
        StartRefusalTest.delete(hdd);
        Files.createDirectory(hdd);
        StartRefusalTest.delete(ssd.resolve("id-0"));
        broker.restart();
        assertThat(ssd.resolve(IdentityFile.FILE_NAME)).content().contains("generation=3");
    }

    @Test
    void removedLeftoversAreReported() throws Exception {
        Files.move(hdd, root.resolve("image"));
        Files.move(root.resolve("current"), hdd);
        Files.delete(FakeBroker.segment(hdd.resolve("topic-0"), 100));
        broker.restart();
        assertThat(broker.listener.events).contains("leftoversRemoved topic-0 1 200");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy that a start has scanned is used only if Kafka's loader leaves the HDD file unchanged. */
class ScannedCopyTest {
    private static final byte[] OLD = bytes("as it was at the start");
    private static final byte[] NEW = bytes("as the loader has left it");

    @TempDir
    Path root;

    private FakeBroker broker;
    private Path first;
    private Path onSsd;

    /** A copied segment, scanned at a start and not opened yet. */
    @BeforeEach
    void start() throws Exception {
        broker = new FakeBroker(root, 1, 1, 8 * FakeBroker.SEGMENT_BYTES);
        Path partition = broker.partition("topic-0");
        first = FakeBroker.segment(partition, 0);
        onSsd = root.resolve("ssd0/id-0/topic-0").resolve(first.getFileName());
        FakeBroker.append(broker.open(first), OLD);
        broker.open(FakeBroker.segment(partition, 100));
        broker.copy();
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.CACHED);
        broker.restart();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void swapIn(byte[] bytes) throws IOException {
        Path swap = SegmentFileName.withSuffix(first, ".swap");
        Files.write(swap, bytes);
        Files.move(swap, first, StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void copyIsUsedWhereTheHddFileIsStillTheSame() throws Exception {
        assertThat(FakeBroker.read(broker.open(first))).isEqualTo(OLD);
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.CACHED);
    }

    @Test
    void copyIsDroppedWhenAnotherLengthWasSwappedIn() throws Exception {
        FileTime time = Files.getLastModifiedTime(first);
        swapIn(NEW);
        Files.setLastModifiedTime(first, time);
        assertThat(FakeBroker.read(broker.open(first))).isEqualTo(NEW);
        assertThat(broker.stateOf(first)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(onSsd).doesNotExist();
    }

    @Test
    void copyIsDroppedWhenTheSameLengthWasSwappedIn() throws Exception {
        byte[] other = Arrays.copyOf(NEW, OLD.length);
        FileTime time = Files.getLastModifiedTime(first);
        swapIn(other);
        Files.setLastModifiedTime(first, FileTime.fromMillis(time.toMillis() + 1));
        assertThat(FakeBroker.read(broker.open(first))).isEqualTo(other);
        assertThat(onSsd).doesNotExist();
    }

    @Test
    void copyIsDroppedWhenTheLoaderHasDeletedTheSegment() throws Exception {
        Files.delete(first);
        assertThat(FakeBroker.read(broker.open(first))).isEmpty();
        assertThat(first).isSymbolicLink();
        assertThat(Files.size(onSsd)).isZero();
    }

    @Test
    void copyIsDroppedWhenAPartitionIsOpenedAgainAndItsFileIsAnother() throws Exception {
        broker.open(first).close();
        swapIn(NEW);
        assertThat(FakeBroker.read(broker.open(first))).isEqualTo(NEW);
        assertThat(onSsd).doesNotExist();
    }

    @Test
    void linkIsFollowedToTheSsdAlthoughNoCopyIsKnown() throws Exception {
        Path second = FakeBroker.segment(broker.partition("topic-0"), 100);
        assertThat(second).isSymbolicLink();
        FakeBroker.append(broker.open(second), NEW);
        assertThat(broker.stateOf(second)).isEqualTo(SegmentState.ONLY_CACHE);
        assertThat(Files.readAllBytes(second)).isEqualTo(NEW);
    }

    @Test
    void segmentThatCannotBeOpenedIsAnErrorAndNoOtherFileReplacesIt() throws Exception {
        Path alone = FakeBroker.segment(broker.partition("old-0"), 0);
        Files.write(alone, OLD);
        List<Path> opened = new ArrayList<>();
        broker.restart(new FileOps() {
            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                if (file.equals(alone)) {
                    opened.add(file);
                    throw new IOException("Input/output error");
                }
                return super.open(file, options);
            }
        });
        assertThatThrownBy(() -> broker.open(alone)).isInstanceOf(IOException.class);
        assertThat(opened).as("tried again after a check").hasSize(2);
        assertThat(Files.readAllBytes(alone)).isEqualTo(OLD);
        assertThat(Files.isRegularFile(alone, NOFOLLOW_LINKS)).isTrue();
    }
}

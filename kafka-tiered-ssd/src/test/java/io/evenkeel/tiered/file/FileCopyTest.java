/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.nio.file.ExtendedOpenOption;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The copy protocol step by step, and the cause that each failure names. */
class FileCopyTest {
    @TempDir
    Path root;

    private final byte[] bytes = new byte[DirectIoBuffer.CHUNK_BYTES + 12_345];
    private final DirectIoBuffer buffer = new DirectIoBuffer();
    private Path ssdFile;
    private Path link;

    @BeforeEach
    void write() throws IOException {
        new Random(42).nextBytes(bytes);
        ssdFile = Files.write(root.resolve("on-ssd.log"), bytes);
        Files.setLastModifiedTime(ssdFile, FileTime.fromMillis(1_600_000_000_123L));
        link = Files.createDirectory(root.resolve("topic-0")).resolve("00000000000000000000.log");
    }

    private FileCopy copy(FileOps files) {
        return new FileCopy(files, ssdFile, link, buffer);
    }

    private static List<FileCopy.Stage> runToTheEnd(FileCopy copy) throws IOException {
        List<FileCopy.Stage> stages = new ArrayList<>();
        while (copy.stage() != FileCopy.Stage.COMPLETE) {
            stages.add(copy.stage());
            copy.step();
        }
        copy.close();
        return stages;
    }

    /** NFS and CephFS take O_DIRECT, and then fail each read that is not a whole block of theirs. */
    @Test
    void blocksThatAreTooLargeForDirectIoAreReadAsUsual() throws Exception {
        FileOps files = new FileOps() {
            @Override
            public long blockBytes(Path dir) {
                return 1 << 20;
            }

            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                assertThat(options.contains(ExtendedOpenOption.DIRECT)).isFalse();
                return super.open(file, options);
            }
        };
        FileCopy copy = copy(files);
        runToTheEnd(copy);
        assertThat(copy.path()).hasBinaryContent(bytes);
    }

    @Test
    void copyHasTheBytesTheLengthAndTheTime() throws Exception {
        FileCopy copy = copy(new FileOps());
        assertThat(runToTheEnd(copy))
                .containsExactly(
                        FileCopy.Stage.OPEN,
                        FileCopy.Stage.COPY,
                        FileCopy.Stage.COPY,
                        FileCopy.Stage.SEAL,
                        FileCopy.Stage.VERIFY,
                        FileCopy.Stage.VERIFY);
        assertThat(copy.path()).hasBinaryContent(bytes);
        assertThat(Files.getLastModifiedTime(copy.path())).isEqualTo(Files.getLastModifiedTime(ssdFile));
        assertThat(copy.hasModifiedTimeOfSource()).isTrue();
        Files.setLastModifiedTime(ssdFile, FileTime.fromMillis(0));
        assertThat(copy.hasModifiedTimeOfSource()).isFalse();
    }

    @Test
    void emptyFileIsCopied() throws Exception {
        Files.write(ssdFile, new byte[0]);
        FileCopy copy = copy(new FileOps());
        assertThat(runToTheEnd(copy)).containsExactly(FileCopy.Stage.OPEN, FileCopy.Stage.SEAL);
        assertThat(copy.path()).isEmptyFile();
    }

    @Test
    void discardedCopyLeavesNoFile() throws Exception {
        FileCopy copy = copy(new FileOps());
        copy.step();
        copy.step();
        assertThat(copy.path()).exists();
        copy.discard();
        assertThat(copy.path()).doesNotExist();
    }

    @Test
    void copyThatReadsBackOtherBytesIsRefused() throws Exception {
        FileCopy copy = copy(new FileOps());
        while (copy.stage() != FileCopy.Stage.VERIFY) {
            copy.step();
        }
        try (FileChannel channel = FileChannel.open(copy.path(), StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1).put(0, (byte) ~bytes[7]), 7);
        }
        assertThatThrownBy(() -> runToTheEnd(copy))
                .hasMessageContaining("does not read back")
                .satisfies(failure -> assertThat(
                                CopyFailure.of((IOException) failure).reason())
                        .isEqualTo(CopyFailure.Cause.TARGET));
    }

    @Test
    void sourceThatCannotBeFlushedIsDoubtful() {
        FileCopy copy = copy(new FileOps() {
            @Override
            public void force(FileChannel channel) throws IOException {
                throw new IOException("Input/output error");
            }
        });
        assertThat(failure(copy).reason()).isEqualTo(CopyFailure.Cause.SOURCE_DOUBTFUL);
    }

    @Test
    void sourceThatCannotBeReadIsToBlame() throws Exception {
        FileCopy copy = copy(new FileOps() {
            private boolean flushed;

            @Override
            public void force(FileChannel channel) {
                flushed = true;
            }

            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                FileChannel channel = super.open(file, options);
                if (flushed && file.equals(ssdFile)) {
                    channel.close();
                }
                return channel;
            }
        });
        copy.step();
        CopyFailure failure = failure(copy);
        assertThat(failure.reason()).isEqualTo(CopyFailure.Cause.SOURCE_UNREADABLE);
        assertThat(failure).hasMessageContaining("Cannot read at 0").hasMessageContaining(ssdFile.toString());
    }

    @Test
    void directoryThatHasBeenRenamedIsGone() throws Exception {
        Files.delete(SegmentFileName.dirOf(link));
        assertThat(failure(copy(new FileOps())).reason()).isEqualTo(CopyFailure.Cause.GONE);
    }

    private static CopyFailure failure(FileCopy copy) {
        try {
            copy.step();
        } catch (IOException e) {
            return CopyFailure.of(e);
        }
        throw new AssertionError("did not fail");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.BrokerOnDisks;
import io.evenkeel.tiered.FaultyChannel;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.identity.IdentityFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An SSD that takes no writes, or cannot read a file, is emptied as far as it can be read. */
class WornSsdTest {
    @TempDir
    Path root;

    private BrokerOnDisks broker;
    private Path ssd;
    private Path first;
    private Path second;

    @BeforeEach
    void makeSegments() throws IOException {
        broker = new BrokerOnDisks(root, 1, 1, 4 << 20);
        ssd = broker.ssds().get(0);
        first = broker.roll("first-0", 0, 10_000);
        second = broker.roll("second-0", 0, 20_000);
    }

    private OfflineDrain drain(FileOps files) throws IOException {
        OfflineDrain drain = new OfflineDrain(files, broker.logDirs(), broker.ssds());
        drain.copyLinks(broker.hdds().get(0), bytes -> {});
        return drain;
    }

    /** Nothing below the SSD can be opened for writing, flushed or removed. */
    private final class ReadOnlySsd extends FileOps {
        private void check(Path path) throws IOException {
            if (path.startsWith(ssd)) {
                throw new FileSystemException(path.toString(), null, "Read-only file system");
            }
        }

        @Override
        public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
            if (options.contains(StandardOpenOption.WRITE)) {
                check(file);
            }
            return new FaultyChannel(super.open(file, options), failing("force", file));
        }

        @Override
        public boolean deleteIfExists(Path file) throws IOException {
            check(file);
            return super.deleteIfExists(file);
        }

        @Override
        public void fsyncDirectory(Path dir) throws IOException {
            check(dir);
            super.fsyncDirectory(dir);
        }
    }

    private FaultyChannel.Device failing(String failing, Path file) {
        return new FaultyChannel.Device() {
            @Override
            public void before(String operation) throws IOException {
                if (operation.equals(failing) && file.startsWith(ssd)) {
                    throw new IOException("Input/output error");
                }
            }

            @Override
            public boolean isTorn() {
                return false;
            }
        };
    }

    @Test
    void ssdThatTakesNoWritesIsCopiedAndStaysAsItIs() throws Exception {
        byte[] content = Files.readAllBytes(second);
        List<Path> onSsd = broker.ssdFiles();
        OfflineDrain drain = drain(new ReadOnlySsd());
        assertThat(drain.failed()).isEmpty();
        assertThat(drain.emptySsds()).singleElement().satisfies(left -> {
            assertThat(left.path()).isEqualTo(ssd);
            assertThat(left.why()).contains("cannot be emptied", "Read-only file system");
        });
        assertThat(first).isRegularFile();
        assertThat(Files.isSymbolicLink(second)).isFalse();
        assertThat(second).hasBinaryContent(content);
        assertThat(broker.ssdFiles()).isEqualTo(onSsd);
        assertThat(broker.hdds().get(0).resolve(IdentityFile.FILE_NAME))
                .as("otherwise the SSD would look newer than the log directory")
                .exists();
        broker.restart();
    }

    @Test
    void fileThatCannotBeReadKeepsItsLinkAndTheOthersAreCopied() throws Exception {
        Path bad = Files.readSymbolicLink(first);
        List<Path> onSsd = broker.ssdFiles();
        OfflineDrain drain = drain(new FileOps() {
            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                FileChannel channel = super.open(file, options);
                return file.equals(bad) ? new FaultyChannel(channel, failing("read", file)) : channel;
            }
        });
        assertThat(drain.failed()).singleElement().satisfies(left -> {
            assertThat(left.path()).isEqualTo(first);
            assertThat(left.why()).contains(bad + " cannot be read: bytes 0-9999 of 10000");
        });
        assertThat(drain.emptySsds()).isEmpty();
        assertThat(first).isSymbolicLink();
        assertThat(Files.isSymbolicLink(second)).isFalse();
        assertThat(broker.ssdFiles()).isEqualTo(onSsd);
        assertThat(first.resolveSibling(first.getFileName() + ".tiering")).doesNotExist();
    }

    @Test
    void fileThatIsMissingIsReportedAndTheOthersAreCopied() throws Exception {
        Files.delete(Files.readSymbolicLink(first));
        OfflineDrain drain = drain(new FileOps());
        assertThat(drain.failed()).singleElement().satisfies(left -> {
            assertThat(left.path()).isEqualTo(first);
            assertThat(left.why()).contains("DANGLING_LINK");
        });
        assertThat(drain.emptySsds()).isEmpty();
        assertThat(Files.isSymbolicLink(second)).isFalse();
        assertThat(ssd.resolve(IdentityFile.FILE_NAME)).exists();
    }

    @Test
    void failedFilesCanBeReadAtASecondTry() throws Exception {
        fileThatCannotBeReadKeepsItsLinkAndTheOthersAreCopied();
        OfflineDrain drain = drain(new FileOps());
        assertThat(drain.failed()).isEmpty();
        assertThat(drain.emptySsds()).isEmpty();
        assertThat(ssd).isEmptyDirectory();
    }
}

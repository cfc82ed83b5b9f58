/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.recovery.StartRefusalTest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The identity files of SSDs and log directories, from start to start. */
class DiskEnsembleTest {
    @TempDir
    Path root;

    private FakeBroker broker;
    private Path hdd;
    private Path ssd;

    @BeforeEach
    void start() throws IOException {
        broker = new FakeBroker(root, 2, 1, 4 * FakeBroker.SEGMENT_BYTES);
        hdd = broker.hdds.get(0);
        ssd = broker.ssds.get(0);
    }

    private static Map<String, String> identity(Path dir) throws IOException {
        return Objects.requireNonNull(IdentityFile.read(dir), dir + " has no identity file")
                .values();
    }

    private static String generation(Path dir) throws IOException {
        return identity(dir).getOrDefault("generation", "none");
    }

    @Test
    void eachStartIsAGenerationInEveryIdentityFile() throws Exception {
        assertThat(identity(ssd)).containsEntry("cluster.id", "cluster").containsEntry("node.id", "1");
        String id = identity(ssd).get("ssd.id");
        assertThat(id).matches("[A-Za-z0-9_-]{22}");
        for (String expected : List.of("1", "2", "3")) {
            assertThat(generation(ssd)).isEqualTo(expected);
            for (Path logDir : broker.hdds) {
                assertThat(identity(logDir)).isEqualTo(Map.of("generation", expected, "ssd." + id, ssd.toString()));
            }
            assertThat(identity(ssd)).containsEntry("ssd.id", id);
            broker.restart();
        }
    }

    @Test
    void pathsAreReadAsTheyWereWritten() throws Exception {
        Path odd = Files.createDirectory(root.resolve("a\\b = c:d #é"));
        broker.configure(OnMissing.FAIL, List.of(odd));
        broker.restart();
        assertThat(KnownSsds.read(hdd).ssdIds()).containsOnlyKeys(odd);
        broker.restart();
        assertThat(KnownSsds.read(hdd).ssdIds())
                .containsEntry(odd, Objects.requireNonNull(identity(odd).get("ssd.id")));
    }

    @Test
    void identityFilesOfAnEarlierVersionAreExtended() throws Exception {
        FakeBroker.append(broker.open(FakeBroker.segment(broker.partition("topic-0"), 0)), new byte[10]);
        Files.writeString(ssd.resolve(IdentityFile.FILE_NAME), "# Whose SSD this is.\ncluster.id=cluster\nnode.id=1\n");
        for (Path logDir : broker.hdds) {
            Files.delete(logDir.resolve(IdentityFile.FILE_NAME));
        }
        broker.restart();
        assertThat(generation(ssd)).isEqualTo("1");
        assertThat(generation(hdd)).isEqualTo("1");
    }

    @Test
    void killBetweenTwoIdentityFilesDoesNoHarm() throws Exception {
        FakeBroker.append(broker.open(FakeBroker.segment(broker.partition("topic-0"), 0)), new byte[10]);
        for (int start = 0; start < 3; start++) {
            assertThatThrownBy(() -> broker.restart(new FileOps() {
                        @Override
                        public void rename(Path from, Path to) throws IOException {
                            if (to.equals(hdd.resolve(IdentityFile.FILE_NAME))) {
                                throw new IllegalStateException("killed");
                            }
                            super.rename(from, to);
                        }
                    }))
                    .hasMessage("killed");
        }
        assertThat(generation(ssd)).isEqualTo("4");
        assertThat(generation(hdd)).isEqualTo("1");
        broker.restart();
        assertThat(generation(ssd)).isEqualTo("5");
        assertThat(generation(hdd)).isEqualTo("5");
    }

    @Test
    void ssdMovedToAnotherPathIsKnownAgain() throws Exception {
        String id = identity(ssd).get("ssd.id");
        Path elsewhere = root.resolve("elsewhere");
        Files.move(ssd, elsewhere);
        broker.configure(OnMissing.FAIL, List.of(elsewhere));
        broker.restart();
        assertThat(identity(elsewhere)).containsEntry("ssd.id", id).containsEntry("generation", "2");
        assertThat(identity(hdd)).containsEntry("ssd." + id, elsewhere.toString());
    }

    @Test
    void offlineLogDirectoryKeepsItsIdentityFileAndItsSegments() throws Exception {
        Path offline = broker.hdds.get(1);
        Path segment = FakeBroker.segment(Files.createDirectories(offline.resolve("other-0")), 0);
        FakeBroker.append(broker.open(segment), new byte[10]);
        Path onSsd = Files.readSymbolicLink(segment);
        assertThat(onSsd).startsWith(ssd.resolve("id-1"));
        broker.hdds.remove(offline);
        broker.restart();
        broker.restart();
        assertThat(onSsd).exists();
        assertThat(generation(offline)).isEqualTo("1");
        assertThat(generation(hdd)).isEqualTo("3");

        broker.hdds.add(offline);
        broker.restart();
        assertThat(generation(offline)).isEqualTo("4");
        assertThat(Files.size(segment)).isEqualTo(10);
    }

    @Test
    void ssdReplacedWhileALogDirectoryWasOfflineLacksItsFiles() throws Exception {
        Path offline = broker.hdds.get(1);
        Path segment = FakeBroker.segment(Files.createDirectories(offline.resolve("other-0")), 0);
        FakeBroker.append(broker.open(segment), new byte[10]);
        broker.hdds.remove(offline);
        StartRefusalTest.delete(ssd);
        Files.createDirectory(ssd);
        broker.restart();
        broker.hdds.add(offline);
        assertThatThrownBy(broker::restart).hasMessageContaining(ssd + " lacks files");
    }

    @Test
    void fullSsdKeepsItsIdentityFileAndTheBrokerStarts() throws Exception {
        FakeBroker.append(broker.open(FakeBroker.segment(broker.partition("topic-0"), 0)), new byte[10]);
        FileOps full = new FileOps() {
            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                if (file.startsWith(ssd)) {
                    throw new IOException(file + ": No space left on device");
                }
                return super.open(file, options);
            }
        };
        broker.restart(full);
        broker.restart(full);
        assertThat(generation(ssd)).isEqualTo("1");
        assertThat(generation(hdd)).isEqualTo("1");
        broker.restart();
        assertThat(generation(ssd)).isEqualTo("2");
        assertThat(generation(hdd)).isEqualTo("2");
    }

    @Test
    void fullSsdThatHasMissedAStartStopsTheStart() throws Exception {
        Path identity = ssd.resolve(IdentityFile.FILE_NAME);
        byte[] before = Files.readAllBytes(identity);
        broker.restart();
        Files.write(identity, before);
        FileOps full = new FileOps() {
            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                if (file.startsWith(ssd)) {
                    throw new IOException(file + ": No space left on device");
                }
                return super.open(file, options);
            }
        };
        assertThatThrownBy(() -> broker.restart(full)).hasMessageContaining("cannot write to " + ssd);
        assertThat(identity).hasBinaryContent(before);
        broker.restart();
        assertThat(generation(ssd)).isEqualTo("3");
    }

    @Test
    void logDirectoryThatCannotBeWrittenToIsLeftToKafka() throws Exception {
        broker.restart(new FileOps() {
            @Override
            public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                if (file.equals(hdd.resolve(IdentityFile.TEMPORARY_NAME))) {
                    throw new IOException("read-only: " + file);
                }
                return super.open(file, options);
            }
        });
        assertThat(broker.listener.events).containsExactly("leftAsItIs " + IdentityFile.FILE_NAME);
        assertThat(generation(hdd)).isEqualTo("1");
        assertThat(generation(ssd)).isEqualTo("2");
        broker.restart();
        assertThat(generation(hdd)).isEqualTo("3");
    }

    @Test
    void leftoverThatCannotBeRemovedDoesNotStopAStart() throws Exception {
        Path leftover = Files.createFile(broker.partition("topic-0").resolve("00000000000000000000.log.tiering"));
        broker.restart(new FileOps() {
            @Override
            public boolean deleteIfExists(Path file) throws IOException {
                if (file.equals(leftover)) {
                    throw new IOException("a bad spot: " + file);
                }
                return super.deleteIfExists(file);
            }
        });
        assertThat(broker.listener.events).containsExactly("leftAsItIs " + leftover.getFileName());
        broker.restart();
        assertThat(leftover).doesNotExist();
    }

    @Test
    void startCostsTwoFsyncsForEachDirectoryAndTwoMoreForEachSsd() throws Exception {
        List<String> fsyncs = new ArrayList<>();
        broker.restart(new FileOps() {
            @Override
            public void fsyncDirectory(Path dir) throws IOException {
                fsyncs.add("names in " + dir);
                super.fsyncDirectory(dir);
            }

            @Override
            public void force(FileChannel channel) throws IOException {
                fsyncs.add("an identity file");
                super.force(channel);
            }
        });
        assertThat(fsyncs).hasSize(8);
    }
}

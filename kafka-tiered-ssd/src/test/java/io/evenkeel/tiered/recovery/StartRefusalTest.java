/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.identity.IdentityFile;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A refused start says which disk, why, and what to do, and changes nothing. */
public class StartRefusalTest {
    private static final String NOTHING_CHANGED = "Nothing has been changed";
    private static final String TRUNCATE = "tiered.ssd.on.missing=truncate";

    @TempDir
    Path root;

    private FakeBroker broker;
    private Path ssd0;
    private Path ssd1;
    private Path link0;
    private Path link1;

    /** Two HDDs, each with a link to an SSD of its own. */
    @BeforeEach
    void start() throws IOException {
        broker = new FakeBroker(root, 2, 2, 3 * FakeBroker.SEGMENT_BYTES);
        ssd0 = broker.ssds.get(0);
        ssd1 = broker.ssds.get(1);
        link0 = segment(0);
        link1 = segment(1);
        assertThat(Files.readSymbolicLink(link0)).startsWith(ssd0);
        assertThat(Files.readSymbolicLink(link1)).startsWith(ssd1);
    }

    private Path segment(int hdd) throws IOException {
        Path partition = Files.createDirectories(broker.hdds.get(hdd).resolve("topic-" + hdd));
        Path segment = FakeBroker.segment(partition, 0);
        FakeBroker.append(broker.open(segment), new byte[1000]);
        return segment;
    }

    /** Starts, which must fail and leave every file unchanged. */
    private AbstractThrowableAssert<?, ? extends Throwable> assertRefused() throws IOException {
        return assertRefused(new FileOps());
    }

    private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(FileOps files) throws IOException {
        Map<Path, String> before = everything();
        AbstractThrowableAssert<?, ? extends Throwable> refusal =
                assertThatThrownBy(() -> broker.restart(files)).isInstanceOf(IOException.class);
        assertThat(everything()).isEqualTo(before);
        return refusal.hasMessageContaining(NOTHING_CHANGED);
    }

    private Map<Path, String> everything() throws IOException {
        Map<Path, String> files = new TreeMap<>();
        try (Stream<Path> walk = Files.walk(root)) {
            for (Path file : walk.toList()) {
                FileTime time = Files.getLastModifiedTime(file, LinkOption.NOFOLLOW_LINKS);
                boolean regular = Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
                files.put(file, regular ? time + " " + Files.readString(file).hashCode() : "");
            }
        }
        return files;
    }

    public static void delete(Path dir) throws IOException {
        try (Stream<Path> walk = Files.walk(dir)) {
            for (Path file : walk.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    static void copy(Path from, Path to) throws IOException {
        Process cp = new ProcessBuilder("cp", "-a", from.toString(), to.toString()).start();
        try {
            assertThat(cp.waitFor()).isZero();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void absentSsdIsMissing() throws Exception {
        delete(ssd0);
        assertRefused()
                .hasMessageContaining(ssd0 + " is missing")
                .hasMessageContaining("1 segment of 1 partition")
                .hasMessageContaining(link0.toString())
                .hasMessageContaining(TRUNCATE)
                .hasMessageNotContaining(ssd1.toString());
    }

    @Test
    void missingSsdIsRefusedEvenIfItHeldOnlyCopies() throws Exception {
        Path third = root.resolve("third");
        broker.configure(OnMissing.FAIL, List.of(ssd0, ssd1, third));
        assertRefused().hasMessageContaining(third + " is missing").hasMessageContaining("No segment is only there");
    }

    @Test
    void emptiedSsdIsBlank() throws Exception {
        delete(ssd0);
        Files.createDirectories(ssd0.resolve("lost+found"));
        assertRefused()
                .hasMessageContaining(ssd0 + " is blank")
                .hasMessageContaining("Is the SSD mounted")
                .hasMessageContaining(TRUNCATE);
    }

    @Test
    void emptyMountPointIsNotABlankSsd() throws Exception {
        broker.restart(new FileOps() {
            @Override
            public Object device(Path dir) {
                return dir.startsWith(ssd0) ? "the SSD" : "the system's disk";
            }
        });
        Path active = Files.readSymbolicLink(link0);
        delete(ssd0);
        Files.createDirectory(ssd0);
        broker.configure(OnMissing.TRUNCATE);
        assertRefused()
                .hasMessageContaining(ssd0 + " is blank and not a mount point any more")
                .hasMessageContaining(link0 + " -> " + active)
                .hasMessageNotContaining(TRUNCATE);
        Files.delete(link0);
        assertRefused().hasMessageContaining(ssd0 + " is blank and not a mount point any more");
        broker.configure(OnMissing.TRUNCATE, List.of(ssd1));
        broker.restart();
        broker.configure(OnMissing.FAIL, List.of(ssd0, ssd1));
        broker.restart();
    }

    @Test
    void oldImageOfAnSsdIsStale() throws Exception {
        Path image = root.resolve("image");
        copy(ssd0, image);
        broker.restart();
        delete(ssd0);
        Files.move(image, ssd0);
        assertThat(Files.readSymbolicLink(link0)).exists();
        assertRefused()
                .hasMessageContaining(ssd0 + " is stale")
                .hasMessageContaining("1 segment of 1 partition")
                .hasMessageContaining(TRUNCATE);
    }

    @Test
    void ssdsMountedAtEachOthersPathAreSwapped() throws Exception {
        Path third = root.resolve("third");
        Files.move(ssd0, third);
        Files.move(ssd1, ssd0);
        Files.move(third, ssd1);
        broker.configure(OnMissing.TRUNCATE);
        assertRefused()
                .hasMessageContaining(ssd0 + " holds another of this broker's SSDs")
                .hasMessageContaining(ssd1 + " holds another of this broker's SSDs")
                .hasMessageContaining("Are the mounts swapped?")
                .hasMessageNotContaining(TRUNCATE);
    }

    @Test
    void ssdWithoutAFileThatALinkPointsToLacksIt() throws Exception {
        Path lost = Files.readSymbolicLink(link0);
        Files.createFile(link0.resolveSibling("00000000000000000100.log.tiering"));
        Files.delete(lost);
        assertRefused()
                .hasMessageContaining(ssd0 + " lacks files")
                .hasMessageContaining(link0 + " -> " + lost)
                .hasMessageContaining(TRUNCATE);
    }

    @Test
    void directoryWithTheNameOfAnSsdFileIsNotTheFile() throws Exception {
        Path lost = Files.readSymbolicLink(link0);
        Files.delete(lost);
        Files.createDirectory(lost);
        assertRefused().hasMessageContaining(ssd0 + " lacks files");
    }

    @Test
    void ssdOfAnotherBrokerIsForeign() throws Exception {
        Files.writeString(ssd0.resolve(IdentityFile.FILE_NAME), "cluster.id=cluster\nnode.id=7\n");
        broker.configure(OnMissing.TRUNCATE);
        assertRefused()
                .hasMessageContaining(ssd0 + " is foreign")
                .hasMessageContaining("belongs to node 7 of cluster cluster")
                .hasMessageContaining("this is node 1");
    }

    @Test
    void directoryWithOtherFilesIsForeign() throws Exception {
        Files.delete(ssd0.resolve(IdentityFile.FILE_NAME));
        Files.createFile(ssd0.resolve("photos.zip"));
        broker.configure(OnMissing.TRUNCATE);
        assertRefused().hasMessageContaining(ssd0 + " is foreign").hasMessageContaining("photos.zip");
    }

    @Test
    void ssdThatCannotBeWrittenToIsRefused() throws Exception {
        broker.configure(OnMissing.TRUNCATE);
        assertRefused(new FileOps() {
                    @Override
                    public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
                        if (file.startsWith(ssd0)) {
                            throw new FileSystemException(file.toString(), null, "Read-only file system");
                        }
                        return super.open(file, options);
                    }
                })
                .hasMessageContaining("cannot write to " + ssd0)
                .hasMessageContaining("Read-only file system");
    }

    @Test
    void malformedIdentityFileIsAProblemAndNotABlankSsd() throws Exception {
        Files.writeString(ssd0.resolve(IdentityFile.FILE_NAME), "cluster.id=cluster\nnode.id=1\ngeneration=many\n");
        broker.configure(OnMissing.TRUNCATE);
        assertRefused().hasMessageContaining("generation=many").hasMessageContaining(ssd0.toString());
    }

    @Test
    void linkThatPointsOutsideTheSsdDirectoriesIsRefused() throws Exception {
        Path elsewhere = Files.createFile(root.resolve("elsewhere.log"));
        Path link = FakeBroker.segment(broker.partition("other-0"), 0);
        Files.createSymbolicLink(link, elsewhere);
        broker.configure(OnMissing.TRUNCATE);
        assertRefused()
                .hasMessageContaining("outside tiered.ssd.dirs")
                .hasMessageContaining(link + " -> " + elsewhere)
                .hasMessageNotContaining(TRUNCATE);
    }

    @Test
    void ssdLeftOutOfTheConfigurationIsNamed() throws Exception {
        broker.configure(OnMissing.TRUNCATE, List.of(ssd1));
        assertRefused()
                .hasMessageContaining(ssd0 + ", where an SSD is, is no longer in tiered.ssd.dirs")
                .hasMessageNotContaining(TRUNCATE);
        delete(ssd0);
        broker.configure(OnMissing.FAIL, List.of(ssd1));
        assertRefused()
                .hasMessageContaining(ssd0 + ", where an SSD was, is no longer in tiered.ssd.dirs")
                .hasMessageContaining(TRUNCATE);
    }

    @Test
    void twoLinksToOneFileAreRefused() throws Exception {
        Path other = FakeBroker.segment(broker.partition("copy-0"), 0);
        copy(link0, other);
        broker.configure(OnMissing.TRUNCATE);
        assertRefused().hasMessageContaining("Two links point to the same SSD file");
    }

    @Test
    void copyOfAnSsdBesideTheOriginalIsRefused() throws Exception {
        Path third = root.resolve("third");
        copy(ssd0, third);
        broker.configure(OnMissing.TRUNCATE, List.of(ssd0, ssd1, third));
        assertRefused().hasMessageContaining("have the same id").hasMessageContaining(third.toString());
    }

    @Test
    void capacityBeyondTheFileSystemIsRefused() {
        assertThatThrownBy(() -> new FakeBroker(root.resolve("other"), 1, 1, Long.MAX_VALUE))
                .hasMessageContaining("tiered.ssd.capacity.bytes=" + Long.MAX_VALUE)
                .hasMessageContaining("is more than");
    }

    @Test
    void allReasonsAreNamedAtOnce() throws Exception {
        delete(ssd0);
        Files.writeString(ssd1.resolve(IdentityFile.FILE_NAME), "cluster.id=other\nnode.id=1\n");
        assertRefused()
                .hasMessageContaining(ssd0 + " is missing")
                .hasMessageContaining(ssd1 + " is foreign")
                .hasMessageContaining(TRUNCATE)
                .hasMessageContaining("does not help where nothing is lost yet");
    }

    @Test
    void manyLinksAreCountedAndAFewShown() throws Exception {
        for (int i = 0; i < 20; i++) {
            Path link = FakeBroker.segment(broker.partition("many-" + i), 0);
            Files.createSymbolicLink(link, ssd0.resolve("id-0/many-" + i).resolve(link.getFileName()));
        }
        delete(ssd0);
        assertRefused()
                .hasMessageContaining("21 segments of 21 partitions")
                .extracting(e -> String.valueOf(e.getMessage()).lines().count())
                .isEqualTo(7L);
    }
}

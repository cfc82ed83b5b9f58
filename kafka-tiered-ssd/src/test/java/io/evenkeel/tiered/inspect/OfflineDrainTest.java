/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.BrokerOnDisks;
import io.evenkeel.tiered.FaultyChannel;
import io.evenkeel.tiered.FaultyFileOps;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An offline drain, undisturbed and with each file operation failing in turn. */
@Tag("slow")
class OfflineDrainTest {
    private static final int ENOUGH = 1_000;

    @TempDir
    Path root;

    private static void drain(BrokerOnDisks broker, FileOps files) throws IOException {
        OfflineDrain drain = new OfflineDrain(files, broker.logDirs(), broker.ssds());
        for (Path hdd : broker.hdds()) {
            for (OfflineDrain.Failure failure : drain.copyLinks(hdd, bytes -> {})) {
                throw failure.cause();
            }
        }
        assertThat(drain.emptySsds()).isEmpty();
    }

    /** Segments on one disk and on both, one that waits to be deleted, and leftovers of a crash. */
    private static BrokerOnDisks used(Path root) throws Exception {
        BrokerOnDisks broker = new BrokerOnDisks(Files.createDirectories(root), 2, 1, 4 << 20);
        broker.roll("topic-0", 0, 90_000);
        broker.roll("topic-0", 100, 9_000);
        broker.copy();
        broker.roll("topic-0", 200, 4096);
        broker.roll(1, "other-7", 40, 70_001);
        broker.markDeleted(broker.roll(1, "gone-1", 0, 100));
        Path newest = broker.roll(1, "gone-1", 50, 0);
        Files.createFile(SegmentFileName.withSuffix(newest, SegmentFileName.COPY_SUFFIX));
        Files.write(broker.ssds().get(0).resolve("id-1/gone-1/00000000000000000099.log"), new byte[7]);
        return broker;
    }

    /** What Kafka would read, by the name it knows. */
    private static Map<Path, String> contents(BrokerOnDisks broker) throws IOException {
        Map<Path, String> contents = new TreeMap<>();
        for (Path hdd : broker.hdds()) {
            try (Stream<Path> files = Files.walk(hdd)) {
                for (Path file : files.toList()) {
                    if (SegmentFileName.parse(file) != null) {
                        contents.put(file, new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
                    }
                }
            }
        }
        return contents;
    }

    @Test
    void noLinkIsLeftAndTheSsdIsEmptyAndNoByteIsLost() throws Exception {
        BrokerOnDisks broker = used(root);
        Map<Path, String> before = contents(broker);
        drain(broker, new FileOps());
        assertThat(contents(broker)).isEqualTo(before);
        assertThat(before.keySet()).noneMatch(Files::isSymbolicLink);
        assertThat(broker.ssds().get(0)).isEmptyDirectory();
        assertThat(DiskSurvey.take(broker.logDirs(), broker.ssds()).problems()).isEmpty();
    }

    @Test
    void fileKeepsItsTimeItsOwnerAndItsMode() throws Exception {
        BrokerOnDisks broker = new BrokerOnDisks(root, 1, 1, 4 << 20);
        Path segment = broker.roll("topic-0", 0, 1000);
        Path ssdFile = Files.readSymbolicLink(segment);
        Files.setPosixFilePermissions(ssdFile, PosixFilePermissions.fromString("rw-r-----"));
        if (System.getProperty("user.name").equals("root")) {
            Files.setAttribute(ssdFile, "unix:uid", 1234);
            Files.setAttribute(ssdFile, "unix:gid", 4321);
        }
        Files.setLastModifiedTime(ssdFile, FileTime.fromMillis(1_600_000_000_123L));
        Map<String, Object> wanted = Files.readAttributes(ssdFile, "unix:uid,gid,mode,lastModifiedTime");
        drain(broker, new FileOps());
        assertThat(Files.readAttributes(segment, "unix:uid,gid,mode,lastModifiedTime", LinkOption.NOFOLLOW_LINKS))
                .isEqualTo(wanted);
    }

    @Test
    void filesThatDoNotBelongToTheBrokerStay() throws Exception {
        BrokerOnDisks broker = used(root);
        Path foreign = Files.createDirectories(broker.ssds().get(0).resolve("id-7/topic-0"));
        OfflineDrain drain = new OfflineDrain(new FileOps(), broker.logDirs(), broker.ssds());
        for (Path hdd : broker.hdds()) {
            drain.copyLinks(hdd, bytes -> {});
        }
        assertThat(drain.emptySsds()).containsExactly(foreign.resolveSibling(""));
        assertThat(foreign).exists();
    }

    /** SSDs of one batch wear out together: what can be read must get to safety. */
    @Test
    void aFileThatCannotBeReadDoesNotKeepTheOthers() throws Exception {
        BrokerOnDisks broker = used(root);
        Path bad = broker.hdds().get(0).resolve("topic-0/00000000000000000200.log");
        Path onSsd = Files.readSymbolicLink(bad);
        OfflineDrain drain = new OfflineDrain(new Worn(onSsd), broker.logDirs(), broker.ssds());
        List<OfflineDrain.Failure> failures = new ArrayList<>();
        for (Path hdd : broker.hdds()) {
            failures.addAll(drain.copyLinks(hdd, bytes -> {}));
        }
        assertThat(failures).singleElement().satisfies(failure -> {
            assertThat(failure.segment().baseOffset()).isEqualTo(200);
            assertThat(failure.cause()).hasMessageContaining("Cannot read at 0").hasMessageContaining("" + onSsd);
        });
        assertThat(DiskSurvey.take(broker.logDirs(), broker.ssds()).links())
                .extracting(SurveyedSegment::path)
                .containsExactly(bad);
        assertThatThrownBy(drain::emptySsds).hasMessageContaining("1 links to SSDs remain");
        assertThat(onSsd).exists();
    }

    /** An SSD that flushes nothing any more, with one file that cannot be read. */
    private static final class Worn extends FileOps {
        private final Path bad;

        Worn(Path bad) {
            this.bad = bad;
        }

        @Override
        public FileChannel open(Path file, Set<? extends OpenOption> options) throws IOException {
            boolean onSsd = file.toString().contains("/ssd0/");
            return new FaultyChannel(super.open(file, options), operation -> {
                if ((onSsd && operation.equals("force")) || (file.equals(bad) && operation.equals("read"))) {
                    throw new IOException("Input/output error");
                }
            });
        }
    }

    @Test
    void noSsdFileIsRemovedWhileALinkRemains() throws Exception {
        BrokerOnDisks broker = used(root);
        List<Path> before = broker.ssdFiles();
        OfflineDrain drain = new OfflineDrain(new FileOps(), broker.logDirs(), broker.ssds());
        drain.copyLinks(broker.hdds().get(0), bytes -> {});
        assertThatThrownBy(drain::emptySsds).isInstanceOf(IOException.class).hasMessageContaining("links to SSDs");
        assertThat(broker.ssdFiles()).isEqualTo(before);
    }

    @Test
    void drainIsRefusedWhenTheSsdLacksAFile() throws Exception {
        BrokerOnDisks broker = used(root);
        Path link = broker.hdds().get(1).resolve("other-7/00000000000000000040.log");
        Files.delete(Files.readSymbolicLink(link));
        List<Path> before = broker.ssdFiles();
        assertThatThrownBy(() -> drain(broker, new FileOps()))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nothing has been changed")
                .hasMessageContaining(link + ": points to");
        assertThat(broker.ssdFiles()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource(FaultyFileOps.Fault.class)
    void noByteIsLostWhicheverStepFailsAndTheDrainCanBeRepeated(FaultyFileOps.Fault fault) throws Exception {
        BrokerOnDisks broker = used(root.resolve("broker"));
        Map<Path, String> before = contents(broker);
        copyTree(root.resolve("broker"), root.resolve("as-it-was"));
        for (int k = 1; k < ENOUGH; k++) {
            FaultyFileOps files = new FaultyFileOps(fault, k);
            try {
                drain(broker, files);
            } catch (FaultyFileOps.Killed | IOException e) {
                // repeated below
            }
            if (!files.hasFailed()) {
                assertThat(k).as("operations").isGreaterThan(40);
                return;
            }
            String what = fault + " at operation " + k + ": " + files.failed();
            assertThat(contents(broker)).as(what).isEqualTo(before);
            drain(broker, new Forgetful());
            assertThat(contents(broker)).as(what).isEqualTo(before);
            assertThat(before.keySet()).as(what).noneMatch(Files::isSymbolicLink);
            assertThat(broker.ssds().get(0)).as(what).isEmptyDirectory();
            deleteTree(root.resolve("broker"));
            copyTree(root.resolve("as-it-was"), root.resolve("broker"));
        }
        throw new AssertionError("the drain never ended");
    }

    /** Skips every fsync, for speed: this test cuts no power. */
    private static final class Forgetful extends FileOps {
        @Override
        public void force(FileChannel channel) {}

        @Override
        public void fsyncDirectory(Path dir) {}
    }

    /** Links are copied as links, and times are kept. */
    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                Files.copy(file, copy, LinkOption.NOFOLLOW_LINKS, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void deleteTree(Path dir) throws IOException {
        try (Stream<Path> files = Files.walk(dir)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}

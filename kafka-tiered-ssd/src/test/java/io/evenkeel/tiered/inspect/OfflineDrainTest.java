/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.BrokerOnDisks;
import io.evenkeel.tiered.FaultyFileOps;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
            drain.copyLinks(hdd, bytes -> {});
        }
        List<OfflineDrain.Left> stays = drain.emptySsds();
        if (!stays.isEmpty() || !drain.failed().isEmpty()) {
            throw new IOException(stays + " stay, failed: " + drain.failed());
        }
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
        assertThat(drain.emptySsds()).extracting(OfflineDrain.Left::path).containsExactly(foreign.resolveSibling(""));
        assertThat(foreign).exists();
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

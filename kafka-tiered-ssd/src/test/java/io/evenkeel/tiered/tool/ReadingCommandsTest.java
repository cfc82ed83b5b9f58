/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkeel.tiered.BrokerOnDisks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that only read, on the disks of a broker with segments in all states. */
class ReadingCommandsTest {
    private static final int CAPACITY_BYTES = 3 << 20;

    @TempDir
    Path root;

    private BrokerOnDisks broker;
    private Path config;
    /** events-0 from offset 0 on, in the order of their states. */
    private Path withoutCache;

    private Path cached;
    private Path onlyCache;

    @BeforeEach
    void makeSegmentsInAllStates() throws Exception {
        broker = new BrokerOnDisks(root, 2, 1, CAPACITY_BYTES);
        config = broker.serverProperties();
        withoutCache = broker.roll("events-0", 0, 1_000_000);
        broker.roll("events-0", 100, 1_000_000);
        broker.copy();
        broker.roll("events-0", 200, 900_000);
        broker.copy();
        broker.evict();
        cached = broker.roll("events-0", 300, 500_000);
        onlyCache = broker.roll("events-0", 400, 1000);
        broker.copy();
    }

    private Said run(String... command) {
        Said said = Said.by(config, command);
        assertThat(said.err()).isEmpty();
        return said;
    }

    private static void flipAByte(Path file, long position) throws IOException {
        FileTime time = Files.getLastModifiedTime(file);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer one = ByteBuffer.allocate(1);
            channel.read(one, position);
            channel.write(ByteBuffer.wrap(new byte[] {(byte) ~one.get(0)}), position);
        }
        Files.setLastModifiedTime(file, time);
    }

    @Test
    void statusCountsSegmentsByState() {
        JsonNode status = run("status", "--json").json();
        JsonNode amounts = status.at("/logDirs/0/amounts");
        assertThat(amounts.at("/onlyCache/segments").asInt()).isEqualTo(1);
        assertThat(amounts.at("/onlyCache/bytes").asLong()).isEqualTo(1000);
        assertThat(amounts.at("/cached/segments").asInt()).isEqualTo(2);
        assertThat(amounts.at("/cached/bytes").asLong()).isEqualTo(1_400_000);
        assertThat(amounts.at("/withoutCache/bytes").asLong()).isEqualTo(2_000_000);
        assertThat(status.at("/logDirs/1/amounts/cached/segments").asInt()).isZero();
        JsonNode ssd = status.at("/ssds/0");
        assertThat(ssd.at("/usedBytes").asLong()).isEqualTo(1_401_000);
        assertThat(ssd.at("/reservedBytes").asLong()).isEqualTo((1 << 20) - 1000);
        assertThat(ssd.at("/capacityBytes").asLong()).isEqualTo(CAPACITY_BYTES);
        assertThat(ssd.at("/lowWatermarkBytes").asLong()).isEqualTo(CAPACITY_BYTES / 2);
        assertThat(status.at("/partitions").isNull()).isTrue();
        assertThat(status.at("/problems").isEmpty()).isTrue();
    }

    @Test
    void statusForPeopleIsATable() {
        assertThat(run("status").out().replaceAll(" +", " "))
                .contains(
                        "LOG DIRECTORY ONLY_CACHE SIZE CACHED SIZE WITHOUT_CACHE SIZE\n",
                        root.resolve("hdd0") + " 1 1000 B 2 1.3 MiB 2 1.9 MiB\n",
                        root.resolve("hdd1") + " 0 0 B 0 0 B 0 0 B\n",
                        root.resolve("ssd0") + " 1.3 MiB 1023 KiB 3.0 MiB 2.7 MiB 1.5 MiB ",
                        "No problems.\n");
    }

    @Test
    void segmentsThatWaitToBeDeletedAreCountedSeparately() throws Exception {
        broker.markDeleted(cached);
        JsonNode amounts = run("status", "--json").json().at("/logDirs/0/amounts");
        assertThat(amounts.at("/toBeDeleted/bytes").asLong()).isEqualTo(500_000);
        assertThat(amounts.at("/cached/bytes").asLong()).isEqualTo(900_000);
        assertThat(run("status").out().replaceAll(" +", " ")).contains("TO BE DELETED SIZE\n", " 1 488 KiB\n");
        assertThat(run("explain", cached + ".deleted").out()).contains("It is not live");
    }

    @Test
    void statusShowsPartitions() throws Exception {
        broker.roll(1, "events-1", 0, 10);
        broker.roll(1, "events-again-1", 0, 10);
        JsonNode partitions =
                run("status", "--json", "--topic", "events").json().at("/partitions");
        assertThat(partitions.findValuesAsText("partition")).containsExactly("events-0", "events-1");
        assertThat(partitions.findValuesAsText("logDir"))
                .containsExactly(
                        root.resolve("hdd0").toString(), root.resolve("hdd1").toString());
        assertThat(run("status", "--partitions").out()).contains("events-again-1");
        assertThat(Said.by(config, "status", "--topic", "nothing"))
                .isEqualTo(new Said(
                        2, "", "No log directory has a partition of nothing; check the name and" + " --config\n"));
    }

    @Test
    void statusShowsProblems() throws Exception {
        Files.delete(Files.readSymbolicLink(onlyCache));
        Said said = run("status");
        assertThat(said.exitCode()).isZero();
        assertThat(said.out()).contains("1 problem:", "DANGLING_LINK " + onlyCache, "refuses to start");
    }

    @Test
    void logDirectoryThatCannotBeReadIsAProblemAndTheOthersAreShown() throws Exception {
        Files.delete(root.resolve("hdd1/meta.properties"));
        JsonNode status = run("status", "--json").json();
        assertThat(status.at("/problems").findValuesAsText("kind")).containsExactly("UNREADABLE_LOG_DIR");
        assertThat(status.at("/logDirs")).hasSize(1);
    }

    @Test
    void explainSaysWhereAndWhyAndWhatIsNext() {
        JsonNode explained = run("explain", "--json", cached.toString()).json();
        assertThat(explained.at("/state").asText()).isEqualTo("CACHED");
        assertThat(explained.at("/path").asText()).isEqualTo(cached.toString());
        assertThat(explained.at("/ssdFile").asText())
                .startsWith(root.resolve("ssd0").toString());
        assertThat(explained.at("/bytes").asLong()).isEqualTo(500_000);
        assertThat(explained.at("/next").asText()).contains("number 2 of 2", "2.7 MiB");

        assertThat(run("explain", onlyCache.toString()).out())
                .contains("ONLY_CACHE, 1000 B", "  -> ", "active segment", "link");
        assertThat(run("explain", withoutCache.toString()).out())
                .contains("WITHOUT_CACHE", "On the HDD only", "like any other segment");
    }

    @Test
    void explainFindsASegmentByEachName() throws Exception {
        String expected = run("explain", cached.toString()).out();
        assertThat(run("explain", "events-0/" + cached.getFileName()).out()).isEqualTo(expected);
        assertThat(run("explain", "events-0", "300").out()).isEqualTo(expected);
        assertThat(run("explain", "events-0", "399").out()).isEqualTo(expected);
        assertThat(run(
                                "explain",
                                root.resolve("ssd0/id-0/events-0/" + cached.getFileName())
                                        .toString())
                        .out())
                .isEqualTo(expected);
    }

    @Test
    void explainNamesTheProblemOfAFileThatIsNotASegment() throws Exception {
        Path orphan = Files.createFile(root.resolve("ssd0/id-0/events-0/00000000000000000999.log"));
        Said said = run("explain", orphan.toString());
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.out()).contains("ORPHAN", "the next start removes it");
        assertThat(Said.by(config, "explain", "events-0/7.log").err())
                .isEqualTo(
                        "No segment events-0/7.log; pass a .log file, or a partition such as events-0 and an offset\n");
        assertThat(Said.by(config, "explain", "events-9", "5").err())
                .contains("No log directory has a partition events-9");
    }

    @Test
    void segmentsThatWaitToBeCopiedAreCounted() throws Exception {
        broker.roll("events-0", 500, 10); // finds no room
        broker.evict();
        broker.roll("events-0", 600, 2000);
        broker.roll("events-0", 700, 10);
        assertThat(run("explain", "events-0", "400").out())
                .contains("waits to be copied to the HDD, with 1 more of this log directory (2.0 KiB)");
    }

    @Test
    void evictionsAreOldestFirst() {
        JsonNode ssd = run("evictions", "--json", "--bytes", "1MiB").json().at("/ssds/0");
        assertThat(ssd.at("/usedBytes").asLong()).isEqualTo(1_401_000);
        assertThat(ssd.at("/isDue").asBoolean()).isFalse();
        assertThat(ssd.at("/isEnough").asBoolean()).isTrue();
        assertThat(ssd.at("/segments").findValuesAsText("path"))
                .containsExactly(
                        cached.resolveSibling("00000000000000000200.log").toString(), cached.toString());
        assertThat(ssd.at("/segments/0/usedAfterBytes").asLong()).isEqualTo(501_000);
    }

    @Test
    void evictionsDownToTheLowWatermark() {
        JsonNode ssd = run("evictions", "--json").json().at("/ssds/0");
        assertThat(ssd.at("/isEnough").asBoolean()).isTrue();
        assertThat(ssd.at("/segments")).isEmpty();
        Said all = run("evictions", "--bytes", "1TiB");
        assertThat(all.out()).contains("so it is not due", cached.toString(), "No other segment can be evicted");
    }

    @Test
    void verifyFindsNothingWhenCopiesAreEqual() {
        Said said = run("verify", "--json");
        assertThat(said.exitCode()).isZero();
        assertThat(said.json().at("/same").asInt()).isEqualTo(2);
        assertThat(said.json().at("/sameBytes").asLong()).isEqualTo(1_400_000);
        assertThat(said.json().at("/links").asInt()).isEqualTo(1);
        assertThat(run("verify").out())
                .contains("same on both disks  2 segments, 1.3 MiB on each", "findings                0");
    }

    @Test
    void verifyFindsAFlippedByte() throws Exception {
        flipAByte(cached, 499_999);
        Said said = run("verify", "--json");
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.json().at("/same").asInt()).isEqualTo(1);
        JsonNode finding = said.json().at("/findings/0");
        assertThat(finding.at("/kind").asText()).isEqualTo("DIFFERENT");
        assertThat(finding.at("/path").asText()).isEqualTo(cached.toString());
        assertThat(finding.at("/ssdFile").asText()).endsWith("ssd0/id-0/events-0/" + cached.getFileName());
        assertThat(run("verify").out()).contains("DIFFERENT " + cached, "findings                1");
    }

    @Test
    void verifyFindsADanglingLink() throws Exception {
        Files.delete(Files.readSymbolicLink(onlyCache));
        Said said = run("verify", "--json");
        assertThat(said.exitCode()).isEqualTo(1);
        assertThat(said.json().at("/findings/0/kind").asText()).isEqualTo("DANGLING_LINK");
    }

    @Test
    void verifyKeepsToItsRate() {
        long startNanos = System.nanoTime();
        run("verify", "--bytes-per-second", "2000000"); // 2.8 MB to read, the last file of which need not be waited for
        assertThat(System.nanoTime() - startNanos).isGreaterThan(700_000_000L);
    }

    @Test
    void laterConfigFileWins() throws Exception {
        Path more = Files.writeString(root.resolve("more.properties"), "tiered.ssd.capacity.bytes=4000000\n");
        Said said = Said.by("status", "--json", "--config", config.toString(), "--config", more.toString());
        assertThat(said.json().at("/ssds/0/capacityBytes").asLong()).isEqualTo(4_000_000);
    }

    @Test
    void errorsAreOneLine() throws Exception {
        assertThat(Said.by(root.resolve("none"), "status"))
                .isEqualTo(new Said(2, "", "no such file or directory: " + root.resolve("none") + "\n"));
        Path stock = Files.writeString(root.resolve("stock.properties"), "log.dirs=/hdd\n");
        assertThat(Said.by(stock, "status").err()).hasLineCount(1).startsWith("tiered.ssd.dirs is not set in");
        Path typo = Files.writeString(root.resolve("typo.properties"), "tiered.ssd.dir=/ssd\n");
        assertThat(Said.by(typo, "status").err()).hasLineCount(1).contains("did you mean tiered.ssd.dirs?");
        for (String[] wrong : new String[][] {
            {}, {"state"}, {"status"}, {"status", "--config"}, {"evictions", "--config", "x", "--bytes", "many"}
        }) {
            Said said = Said.by(wrong);
            assertThat(said.exitCode()).isEqualTo(2);
            assertThat(said.err()).hasLineCount(1).endsWith("; see --help\n");
            assertThat(said.out()).isEmpty();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.evenkeel.tiered.BrokerOnDisks;
import io.evenkeel.tiered.tool.preflight.Finding.Level;
import java.io.IOException;
import java.io.Reader;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The checks on the disks of a broker; what would refuse a start is compared with what a start says. */
class PreflightTest {
    private static final long CAPACITY_BYTES = 16 << 20;

    @TempDir
    Path root;

    private BrokerOnDisks broker;
    private Map<String, Object> config;

    @BeforeEach
    void makeSegments() throws Exception {
        broker = new BrokerOnDisks(root, 2, 1, CAPACITY_BYTES);
        config = new HashMap<>();
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(broker.serverProperties())) {
            properties.load(reader);
        }
        properties.stringPropertyNames().forEach(key -> config.put(key, properties.getProperty(key)));
        broker.roll("events-0", 0, 1_000_000);
        broker.copy();
        broker.roll("events-0", 100, 1_000_000);
    }

    private List<Finding> run() throws Exception {
        Map<String, String> before = snapshot();
        List<Finding> findings = Preflight.run(config);
        assertThat(snapshot()).isEqualTo(before);
        return findings;
    }

    /** Everything below the root: what it is, how long, from when, and what it holds. */
    private Map<String, String> snapshot() throws IOException {
        Map<String, String> all = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.toList()) {
                String content = Files.isSymbolicLink(path)
                        ? Files.readSymbolicLink(path).toString()
                        : Files.isDirectory(path) ? "" : new BigInteger(1, Files.readAllBytes(path)).hashCode() + "";
                all.put(
                        path.toString(),
                        Files.readAttributes(path, "size,lastModifiedTime,isDirectory", LinkOption.NOFOLLOW_LINKS)
                                + content);
            }
        }
        return all;
    }

    private String wrong() throws Exception {
        List<Finding> wrong =
                run().stream().filter(finding -> finding.level() == Level.WRONG).toList();
        assertThat(wrong).hasSize(1);
        return wrong.get(0).text();
    }

    /** The message of the start that would be refused. */
    private String refusal() {
        return String.valueOf(
                catchThrowableOfType(IOException.class, broker::restart).getMessage());
    }

    @Test
    void aBrokerWithATierIsReady() throws Exception {
        assertThat(run())
                .noneMatch(finding -> finding.level() == Level.WRONG)
                .contains(Finding.ok("disks", "a start would accept the disks"))
                .anySatisfy(finding -> assertThat(finding.text())
                        .startsWith("The SSD tier is on: tiered.ssd.dirs=" + root.resolve("ssd0")))
                .anySatisfy(finding -> assertThat(finding.text()).startsWith("The SSDs hold 16 MiB: 16 segments"))
                .extracting(Finding::subject)
                .contains(
                        root.resolve("hdd0").toString(),
                        root.resolve("hdd1").toString(),
                        root.resolve("ssd0").toString());
    }

    @Test
    void aSharedDiskIsAWarning() throws Exception {
        assertThat(run())
                .contains(Finding.warning(
                        root.resolve("ssd0").toString(),
                        "is on the disk of " + root.resolve("hdd0") + ", " + root.resolve("hdd1")
                                + ": the tier gains nothing there. Is the SSD mounted?"));
    }

    @Test
    void anEmptySsdIsReady() throws Exception {
        config.put("tiered.ssd.dirs", Files.createDirectory(root.resolve("new")).toString());
        config.put("log.dirs", root.resolve("hdd1").toString());
        Files.delete(root.resolve("hdd1/tiered-ssd.properties"));
        assertThat(run()).noneMatch(finding -> finding.level() == Level.WRONG);
    }

    @Test
    void aTypoIsWrong() throws Exception {
        config.put("tiered.ssd.capacity.byte", "5");
        assertThat(wrong()).contains("did you mean tiered.ssd.capacity.bytes?");
    }

    @Test
    void aLogDirectoryThatIsNotFormattedIsWrong() throws Exception {
        Files.delete(root.resolve("hdd1/meta.properties"));
        assertThat(wrong()).contains("hdd1/meta.properties", "kafka-storage.sh");
    }

    @Test
    void aLostSsdIsWrongAsTheStartWillSay() throws Exception {
        Files.move(root.resolve("ssd0"), root.resolve("elsewhere"));
        assertThat(wrong()).isEqualTo(refusal()).contains("ssd0 is missing");
        Files.createDirectory(root.resolve("ssd0"));
        assertThat(wrong()).isEqualTo(refusal()).contains("ssd0 is blank");
    }

    @Test
    void aLinkWithoutItsFileIsWrongAsTheStartWillSay() throws Exception {
        Files.delete(broker.ssdFiles().get(0));
        Files.delete(broker.ssdFiles().get(0));
        assertThat(wrong()).isEqualTo(refusal()).contains("ssd0 lacks files");
    }

    @Test
    void aCapacityBeyondTheFileSystemIsWrong() throws Exception {
        config.put("tiered.ssd.capacity.bytes", "" + Long.MAX_VALUE);
        assertThat(wrong()).contains("tiered.ssd.capacity.bytes=" + Long.MAX_VALUE + " is more than the");
    }

    @Test
    void directoriesInsideOneAnotherAreWrong() throws Exception {
        Path link = Files.createSymbolicLink(root.resolve("link"), root.resolve("hdd0/events-0"));
        config.put("tiered.ssd.dirs", link.toString());
        assertThat(wrong()).contains("must not be inside one another");
    }

    @Test
    void aTierThatIsOffLeavesNothingUnsaid() throws Exception {
        config.keySet().removeIf(key -> key.startsWith("tiered.ssd."));
        assertThat(run())
                .noneMatch(finding -> finding.level() == Level.WRONG)
                .contains(Finding.ok("config", "The SSD tier is off: tiered.ssd.dirs is not set."))
                .anySatisfy(finding -> assertThat(finding.text()).startsWith("an earlier tier has left its identity"));
    }

    @Test
    void kafkasOwnKeysThatMatter() {
        assertThat(ConfigFindings.of(Map.of("process.roles", "controller")))
                .filteredOn(finding -> finding.level() == Level.WARNING)
                .extracting(Finding::text)
                .satisfiesExactly(
                        text -> assertThat(text).startsWith("process.roles=controller"),
                        text -> assertThat(text).startsWith("log.dirs is not set"));
    }

    @Test
    void limitOfOpenFiles() {
        assertThat(ProcessFindings.openFiles(
                        List.of("Max processes   1  2  processes", "Max open files    1024     4096    files")))
                .hasValueSatisfying(finding -> assertThat(finding.text()).startsWith("this user may have 4096 open"));
        assertThat(ProcessFindings.openFiles(List.of("Max open files    1024     1048576    files")))
                .hasValue(Finding.ok("open files", "this user may have 1048576 open files"));
        assertThat(ProcessFindings.openFiles(List.of("Max open files    1024     unlimited    files")))
                .hasValueSatisfying(finding -> assertThat(finding.level()).isEqualTo(Level.OK));
    }

    @Test
    void whatTheKernelSaysOfADisk() throws Exception {
        Path disk = Files.createDirectories(root.resolve("sys/sda"));
        Files.createDirectory(disk.resolve("queue"));
        Files.writeString(disk.resolve("queue/rotational"), "1\n");
        Files.writeString(disk.resolve("queue/read_ahead_kb"), "128\n");
        Path partition = Files.createDirectory(disk.resolve("sda1"));
        Files.writeString(partition.resolve("partition"), "1\n");
        Path devices = Files.createDirectory(root.resolve("devices"));
        Files.createSymbolicLink(devices.resolve("8:0"), disk);
        Files.createSymbolicLink(devices.resolve("8:1"), partition);
        assertThat(Disk.in(devices, "8:1"))
                .isEqualTo(Disk.in(devices, "8:0"))
                .satisfies(found -> assertThat(found.rotates()).isTrue())
                .satisfies(found -> assertThat(found.readAheadKb()).isEqualTo(128));
        assertThat(Disk.in(devices, "0:42")).isNull();
    }

    @Test
    void whatTheAgentSaysOfKafka() {
        assertThat(KafkaFit.finding(
                        0, "other\nevenkeel 0.1.0: tiered-ssd woven into Kafka 4.3.1 (9 hook points)\n4.3.1"))
                .satisfies(finding -> assertThat(finding.level()).isEqualTo(Level.OK))
                .satisfies(finding -> assertThat(finding.text())
                        .startsWith("tiered-ssd woven into Kafka 4.3.1 (9 hook points), on Java "));
        assertThat(KafkaFit.finding(1, "evenkeel 0.1.0: the broker was stopped.\n  patch: x"))
                .isEqualTo(Finding.wrong("Kafka", "the broker was stopped.\n  patch: x"));
        assertThat(KafkaFit.finding(1, "no class").text()).contains("exit code 1", "no class");
    }
}

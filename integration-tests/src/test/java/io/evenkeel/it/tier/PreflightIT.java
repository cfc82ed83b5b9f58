/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.it.EagerTier;
import io.evenkeel.it.StartRefusal;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** {@code preflight} of the shipped jar, on the disks of a real broker. */
class PreflightIT {
    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private BrokerConfig config;
    private Broker broker;

    @BeforeEach
    void makeSegments() {
        config = EagerTier.on(BrokerConfig.under(dir.resolve("node"), 2, 1).patched());
        broker = brokers.start(config);
        Records records = new Records("preflight", 2, 1000);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), 3000);
        assertThat(SegmentFiles.of(config).in(State.ONLY_CACHE)).isNotEmpty();
    }

    @Tag("long")
    @Test
    void aBrokerThatRunsOrIsStoppedIsReadyAndNothingChanges() throws Exception {
        assertReady(TierTool.of(config).run("preflight"));
        broker.stop();
        Map<Path, String> before = snapshot();
        assertReady(TierTool.of(config).run("preflight"));
        assertThat(TierTool.of(config)
                        .ok("preflight", "--json")
                        .json()
                        .at("/ready")
                        .asBoolean())
                .isTrue();
        assertThat(snapshot()).isEqualTo(before);
        broker.start();
    }

    private static void assertReady(TierTool.Outcome outcome) {
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out())
                .containsPattern("ok +Kafka: tiered-ssd, purgatory-wheel, flush-ratelimit woven into Kafka \\S+ \\(")
                .contains("config: The SSD tier is on: tiered.ssd.dirs=", "config: Flushing by rate is off: ")
                .containsPattern("\nready(, with \\d+ warnings?)?\n$");
        assertThat(outcome.exit()).isZero();
    }

    @Test
    void eachPatchFindsItsOwnTypos() throws Exception {
        broker.stop();
        Path file = config.nodeDir().resolve("server.properties");
        Files.writeString(
                file, Files.readString(file) + "flush.ratelimit.enabled=true\npurgatory.wheel.enabled=true\n");
        TierTool.Outcome outcome = TierTool.of(config).run("preflight");
        assertThat(outcome.exit()).isEqualTo(1);
        assertThat(outcome.out())
                .contains("did you mean flush.ratelimit.enable?", "did you mean purgatory.wheel.enable?")
                .endsWith("\nnot ready: correct what is WRONG above, and run this again\n");
    }

    @Tag("long")
    @Test
    void aLostSsdIsWrongInTheWordsOfTheStart() throws Exception {
        broker.stop();
        Path ssd = config.ssdDirs().get(0);
        Files.move(ssd, dir.resolve("elsewhere"));
        TierTool.Outcome outcome = TierTool.of(config).run("preflight");
        assertThat(outcome.exit()).isEqualTo(1);
        String reason = ssd + " is missing: there is no such directory. Is the SSD mounted?";
        assertThat(outcome.out()).contains(reason);
        Files.createDirectory(ssd);
        String blank = ssd + " is blank: it is an empty directory.";
        assertThat(TierTool.of(config).run("preflight").out()).contains(blank);
        assertThat(StartRefusal.of(config)).contains(blank);
    }

    /** Everything below the node's directory but the tool's output: its length, its time and where links lead. */
    private Map<Path, String> snapshot() throws IOException {
        Map<Path, String> all = new TreeMap<>();
        try (Stream<Path> paths = Files.walk(config.nodeDir())) {
            for (Path path : paths.filter(path -> !path.getFileName().toString().startsWith("tool."))
                    .filter(path -> !path.equals(config.nodeDir()))
                    .toList()) {
                all.put(
                        path,
                        Files.readAttributes(path, "size,lastModifiedTime,isDirectory", LinkOption.NOFOLLOW_LINKS)
                                + (Files.isSymbolicLink(path) ? "" + Files.readSymbolicLink(path) : ""));
            }
        }
        return all;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.EagerTier;
import io.evenkeel.it.StartRefusal;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Commands;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The commands of "Backups" in {@code docs/operations.md}, run as they stand there: {@code /mnt} is the directory of a
 * node, and {@code /backup} a directory beside it.
 */
@Tag("long")
class BackupIT {
    private static final Path PAGE = Path.of("..", "docs", "operations.md");
    private static final int RECORDS = 12_000;

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final Records records = new Records("backup", 1, 1000);
    private BrokerConfig config;
    private Broker broker;

    @BeforeEach
    void stopABrokerWithSegmentsInAllStates() throws IOException {
        config = EagerTier.on(BrokerConfig.under(dir.resolve("node"), 1, 1).patched());
        broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), RECORDS);
        await().atMost(Duration.ofSeconds(60))
                .until(() -> List.of(State.values()).stream()
                        .noneMatch(state ->
                                SegmentFiles.of(config).of("backup").in(state).isEmpty()));
        broker.stop();
        Files.createDirectory(dir.resolve("backup"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rsync -a /mnt/hdd1 /mnt/ssd1 /backup/ | rsync -a /backup/hdd1 /backup/ssd1 /mnt/",
                "cp -a /mnt/hdd1 /mnt/ssd1 /backup/ | cp -a /backup/hdd1 /backup/ssd1 /mnt/",
                "tar -C /mnt -cf /backup/broker.tar hdd1 ssd1 | tar -C /mnt -xpf /backup/broker.tar",
            })
    void bothDisksAreCopiedAndComeBack(String backup, String restore) throws Exception {
        SegmentFiles before = SegmentFiles.of(config);
        run(backup);
        lose("hdd1");
        lose("ssd1");
        run(restore);
        assertThat(TierTool.of(config).ok("status").out()).contains("No problems.");
        assertThat(TierTool.of(config).ok("verify").out()).contains("findings                0");
        assertThat(SegmentFiles.of(config).segments()).isEqualTo(before.segments());
        broker.start();
        assertAllRecords(broker);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rsync -aL /mnt/hdd1 /backup/",
                "cp -aL /mnt/hdd1 /backup/",
                "tar -C /mnt -chf - hdd1 | tar -C /backup -xpf -",
            })
    void whatFollowsLinksMakesALogDirectoryForAnyBroker(String backup) throws Exception {
        run(backup);
        lose("hdd1");
        lose("ssd1");
        BrokerConfig restored = config.withLogDirs(dir.resolve("backup/hdd1"));
        Broker stock = brokers.start(restored.stock());
        assertAllRecords(stock);
        stock.stop();
        assertAllRecords(brokers.start(restored)); // on an empty SSD
    }

    @Test
    void linksAloneAreNoBackup() throws Exception {
        run("rsync -a /mnt/hdd1 /mnt/ssd1 /backup/");
        lose("ssd1");
        TierTool.Outcome verified = TierTool.of(config).run("verify");
        assertThat(verified.exit()).isEqualTo(1);
        assertThat(verified.out()).contains("DANGLING_LINK");
        assertThat(StartRefusal.of(config)).contains(config.ssdDirs().get(0) + " is blank");
    }

    @Test
    void anSsdMovesBehindALink() throws Exception {
        Path elsewhere = Files.createDirectory(config.nodeDir().resolve("new"));
        run("rsync -a /mnt/ssd1/ /mnt/new/ssd1/");
        lose("ssd1");
        run("ln -s /mnt/new/ssd1 /mnt/ssd1");
        assertThat(elsewhere.resolve("ssd1")).isNotEmptyDirectory();
        assertThat(TierTool.of(config).ok("verify").out()).contains("findings                0");
        broker.start();
        assertAllRecords(broker);
    }

    private void assertAllRecords(Broker from) {
        assertThat(records.verifyAll(from.clientProperties()).values())
                .allMatch(range -> range.first() == 0 && range.end() == RECORDS);
    }

    /** Runs a command of the page. */
    private void run(String command) throws IOException {
        assertThat(Files.readString(PAGE)).contains("    " + command + "\n");
        Commands.run(
                "bash",
                "-o",
                "pipefail",
                "-c",
                command.replace("/mnt", config.nodeDir().toString())
                        .replace(
                                "/backup",
                                dir.resolve("backup").toAbsolutePath().toString()));
    }

    private void lose(String name) throws IOException {
        Commands.run("rm", "-r", config.nodeDir().resolve(name).toString());
    }
}

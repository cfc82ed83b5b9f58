/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Uninstalls the tier as the README describes: runs its drain command, then a stock broker without the SSD. */
class GiveUpTheSsdIT {
    private static final Path README = Path.of("..", "README.md");
    private static final long PER_PARTITION = 600;

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @Test
    void readmesCommandPutsFilesInPlaceOfLinks(@TempDir Path dir) throws IOException, InterruptedException {
        BrokerConfig config = BrokerConfig.under(dir, 1, 1)
                .patched()
                .with(Map.of("log.segment.bytes", "1048576", "tiered.ssd.capacity.bytes", "1000000000"));
        Records records = new Records("leaving", 2, 4000);
        Broker tiered = brokers.start(config);
        new Topics(tiered).create(records, Map.of());
        records.produce(tiered.clientProperties(), PER_PARTITION);
        tiered.stop();
        assertThat(SegmentFiles.of(config).in(State.ONLY_CACHE)).isNotEmpty();

        TierTool.of(config).ok(command());
        assertThat(SegmentFiles.of(config).in(State.ONLY_CACHE)).isEmpty();
        Utils.delete(config.ssdDirs().get(0).toFile());

        Broker stock = brokers.start(config.stock());
        assertThat(records.verifyAll(stock.clientProperties()).values())
                .allMatch(range -> range.first() == 0 && range.end() == PER_PARTITION);
    }

    /** The arguments that the README gives after the tool's name, without the config. */
    private static String[] command() throws IOException {
        String line = Files.readAllLines(README).stream()
                .filter(text -> text.contains("TieredSsdTool drain "))
                .findFirst()
                .orElseThrow();
        return line.substring(line.indexOf("drain"))
                .replaceAll("--config \\S+ ?", "")
                .trim()
                .split(" ", -1);
    }
}

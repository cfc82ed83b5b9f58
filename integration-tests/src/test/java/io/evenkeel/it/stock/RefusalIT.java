/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.stock;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.it.StartRefusal;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.asm.MemberRemoval;
import net.bytebuddy.matcher.ElementMatchers;
import org.apache.kafka.common.record.internal.FileRecords;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker on which the tier cannot keep its guarantees does not start, logs the reason and changes no file. */
class RefusalIT {
    @TempDir
    Path dir = Path.of("target");

    @Test
    void misspeltKeyIsAnsweredWithTheNearestOne() throws Exception {
        assertThat(StartRefusal.of(config().with("tiered.ssd.capacity.byte", 1 << 30)))
                .contains("tiered.ssd.capacity.byte")
                .contains("tiered.ssd.capacity.bytes");
    }

    @Test
    void lowWatermarkMustBeBelowTheHighOne() throws Exception {
        assertThat(StartRefusal.of(config().with("tiered.ssd.high.watermark.ratio", "0.5")
                        .with("tiered.ssd.low.watermark.ratio", "0.5")))
                .contains("tiered.ssd.low.watermark.ratio")
                .contains("0.5");
    }

    @Test
    void ssdDirectoryMustBeThere() throws Exception {
        Path missing = dir.resolve("not-mounted");
        assertThat(StartRefusal.of(config().with("tiered.ssd.dirs", missing))).contains(missing.toString());
        assertThat(missing).doesNotExist();
    }

    @Test
    void emptiedSsdIsRefused() throws Exception {
        BrokerConfig config = withRecordsOnTheSsd();
        Path ssd = config.ssdDirs().get(0);
        List<Path> all;
        try (Stream<Path> files = Files.walk(ssd)) {
            all = files.filter(path -> !path.equals(ssd))
                    .sorted(Comparator.reverseOrder())
                    .toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
        Map<Path, Long> before = StartRefusal.files(config.logDirs());
        assertThat(StartRefusal.of(config)).contains(ssd.toString());
        assertThat(StartRefusal.files(config.logDirs())).isEqualTo(before);
    }

    @Test
    void danglingLinkIsRefused() throws Exception {
        BrokerConfig config = withRecordsOnTheSsd();
        Segment lost =
                SegmentFiles.of(config).of("refusal").in(State.ONLY_CACHE).get(0);
        Files.delete(Objects.requireNonNull(lost.ssdFile()));
        Map<Path, Long> before = StartRefusal.files(both(config));
        assertThat(StartRefusal.of(config)).contains(lost.ssdFile().toString());
        assertThat(StartRefusal.files(both(config))).isEqualTo(before);
    }

    @Test
    void brokerOfAnotherShapeIsRefusedBeforeItOpensALog() throws Exception {
        Path doctored = dir.resolve("doctored.jar");
        new ByteBuddy()
                .redefine(FileRecords.class)
                .visit(new MemberRemoval().stripMethods(ElementMatchers.named("openChannel")))
                .make()
                .toJar(doctored.toFile());
        assertThat(StartRefusal.of(config().withPatchedLibs(List.of(doctored))))
                .contains("FileRecords")
                .contains("openChannel")
                .doesNotContain("BrokerServer")
                .doesNotContain("LogManager");
    }

    private BrokerConfig config() {
        return BrokerConfig.under(dir.resolve("node"), 1, 1)
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", 64 << 20);
    }

    /** A broker that was stopped cleanly while its segments were on the SSD only. */
    private BrokerConfig withRecordsOnTheSsd() {
        BrokerConfig config = config().with("tiered.ssd.copy.interval.ms", 3_600_000);
        try (Broker broker = new ForkedBroker(KafkaRuntime.find(), config).start()) {
            Records records = new Records("refusal", 1, 1000);
            new Topics(broker).create(records, Map.of());
            records.produce(broker.clientProperties(), 3000);
            broker.stop();
        }
        return config;
    }

    private static List<Path> both(BrokerConfig config) {
        List<Path> all = new ArrayList<>(config.logDirs());
        all.addAll(config.ssdDirs());
        return all;
    }
}

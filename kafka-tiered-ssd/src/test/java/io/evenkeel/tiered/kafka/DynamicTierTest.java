/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.tiered.TieredFileChannel;
import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.ConfigurationImage;
import org.apache.kafka.image.ConfigurationsImage;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DynamicTierTest {
    private static final String MODE = "tiered.ssd.mode";
    private static final String HIGH = "tiered.ssd.high.watermark.ratio";
    private static final String LOW = "tiered.ssd.low.watermark.ratio";

    @TempDir
    Path dir = Path.of("target");

    private final Map<String, String> serverProperties = new TreeMap<>();
    private int segments;

    @BeforeEach
    void makeDisks() throws IOException {
        Files.createDirectories(dir.resolve("hdd/orders-7"));
        Files.createDirectories(dir.resolve("ssd"));
        serverProperties.put("tiered.ssd.dirs", dir.resolve("ssd").toString());
        serverProperties.put("tiered.ssd.capacity.bytes", "1000000");
        serverProperties.put("ssl.keystore.password", "secret");
    }

    @Test
    void theNearerWordWins() throws IOException {
        TieredSsd tier = tier();
        LiveSettings<DynamicTierSettings> settings = settings(tier);
        assertThat(nextSegment(tier)).as("server.properties").isEqualTo(Device.SSD);
        settings.update(image(Map.of(MODE, "paused"), Map.of()));
        assertThat(nextSegment(tier)).as("for all brokers").isEqualTo(Device.HDD);
        settings.update(image(Map.of(MODE, "paused"), Map.of(MODE, "on")));
        assertThat(nextSegment(tier)).as("for this one").isEqualTo(Device.SSD);
        settings.update(image(Map.of(MODE, "paused"), Map.of()));
        assertThat(nextSegment(tier)).as("taken back").isEqualTo(Device.HDD);
        settings.update(image(Map.of(), Map.of()));
        assertThat(nextSegment(tier)).as("server.properties again").isEqualTo(Device.SSD);
    }

    @Test
    void whatIsSetIsCheckedWithWhatHoldsHere() throws IOException {
        LiveSettings<DynamicTierSettings> settings = settings(tier());
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> settings.check(Map.of(LOW, "0.95"), true))
                .withMessage(LOW + "=0.95: must be below " + HIGH + "=0.9");
        settings.update(image(Map.of(HIGH, "0.97"), Map.of()));
        assertThatCode(() -> settings.check(Map.of(LOW, "0.95"), true)).doesNotThrowAnyException();
        settings.update(image(Map.of(HIGH, "0.97"), Map.of(LOW, "0.95")));
        assertThatExceptionOfType(ConfigException.class)
                .as("to take back what another key relies on")
                .isThrownBy(() -> settings.check(Map.of(), false))
                .withMessageContaining(LOW);
    }

    /** An SSD that the start has not claimed cannot be used, and one with segments cannot be imagined. */
    @Test
    void theShadowIsEnteredAndLeftByARestart() throws IOException {
        LiveSettings<DynamicTierSettings> real = settings(tier());
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> real.check(Map.of(MODE, "shadow"), true))
                .withMessageContaining("set it in server.properties and restart the broker");
        serverProperties.put(MODE, "shadow");
        TieredSsd tier = tier();
        LiveSettings<DynamicTierSettings> shadow = settings(tier);
        assertThatExceptionOfType(ConfigException.class).isThrownBy(() -> shadow.check(Map.of(MODE, "on"), false));
        shadow.update(image(Map.of(MODE, "on"), Map.of()));
        assertThat(nextSegment(tier)).isEqualTo(Device.HDD);
        shadow.update(image(Map.of(), Map.of()));
        assertThatCode(() -> shadow.check(Map.of(HIGH, "0.95"), true)).doesNotThrowAnyException();
    }

    @Test
    void whatIsImpossibleHereChangesNothing() throws IOException {
        TieredSsd tier = tier();
        LiveSettings<DynamicTierSettings> settings = settings(tier);
        settings.update(image(Map.of(MODE, "paused"), Map.of()));
        settings.update(image(Map.of(MODE, "on", LOW, "0.95"), Map.of()));
        assertThat(nextSegment(tier)).isEqualTo(Device.HDD);
        settings.update(image(Map.of(MODE, "on"), Map.of()));
        assertThat(nextSegment(tier)).isEqualTo(Device.SSD);
    }

    @Test
    void staticKeysInTheMetadataAreLeftAlone() throws IOException {
        TieredSsd tier = tier();
        LiveSettings<DynamicTierSettings> settings = settings(tier);
        settings.update(
                image(Map.of("tiered.ssd.dirs", "/elsewhere", "tiered.ssd.mod", "on", MODE, "paused"), Map.of()));
        assertThat(nextSegment(tier)).isEqualTo(Device.HDD);
    }

    /** A broker without the tier has accepted them. */
    @Test
    void aValueThatCannotBeUsedDoesNotKeepTheOthersAway() throws IOException {
        TieredSsd tier = tier();
        LiveSettings<DynamicTierSettings> settings = settings(tier);
        settings.update(image(Map.of(LOW, "half", HIGH, "1.5", MODE, "paused"), Map.of("tiered.ssd.unknown", "1")));
        assertThat(nextSegment(tier)).isEqualTo(Device.HDD);
        assertThatCode(() -> settings.check(Map.of(LOW, "0.6"), true)).doesNotThrowAnyException();
    }

    /** When a disk has died, an operator must still be able to pause the tier. */
    @Test
    void aDeadDiskKeepsNoSettingFromChanging() throws IOException {
        TieredSsd tier = tier();
        LiveSettings<DynamicTierSettings> settings = settings(tier);
        Files.delete(dir.resolve("ssd/tiered-ssd.properties"));
        Files.delete(dir.resolve("ssd"));
        settings.update(image(Map.of(MODE, "paused"), Map.of()));
        assertThat(nextSegment(tier)).isEqualTo(Device.HDD);
        assertThat(tier.snapshot().suspectSsds()).isZero();
        settings.update(image(Map.of(MODE, "drain"), Map.of()));
        settings.update(image(Map.of(MODE, "on"), Map.of()));
        assertThat(tier.snapshot().suspectSsds())
                .as("it cannot be claimed again")
                .isEqualTo(1);
    }

    private TieredSsd tier() throws IOException {
        LogDirMeta hdd = new LogDirMeta(dir.resolve("hdd"), "hdd-id", "cluster", "3");
        return new TieredSsd(
                parsed(),
                List.of(hdd),
                new FileOps(),
                new LoggingListener(new LogDirFailureChannel(1), Map.of(), Path.of("metadata")),
                System::nanoTime,
                new Random(1));
    }

    private LiveSettings<DynamicTierSettings> settings(TieredSsd tier) {
        return DynamicTier.settings(tier, parsed(), serverProperties, "3");
    }

    private TierSettings parsed() {
        return requireNonNull(TieredSsdConfig.parse(serverProperties));
    }

    private Device nextSegment(TieredSsd tier) throws IOException {
        Path file = dir.resolve("hdd/orders-7/%020d.log".formatted(segments++));
        try (TieredFileChannel channel =
                (TieredFileChannel) requireNonNull(tier.open(file, new OpenRequest(1000, 0, null)))) {
            return channel.device();
        }
    }

    private static ConfigurationsImage image(Map<String, String> ofAll, Map<String, String> ofThis) {
        ConfigResource all = new ConfigResource(ConfigResource.Type.BROKER, "");
        ConfigResource one = new ConfigResource(ConfigResource.Type.BROKER, "3");
        ConfigResource other = new ConfigResource(ConfigResource.Type.BROKER, "4");
        return new ConfigurationsImage(Map.of(
                all, new ConfigurationImage(all, ofAll),
                one, new ConfigurationImage(one, ofThis),
                other, new ConfigurationImage(other, Map.of(MODE, "drain"))));
    }
}

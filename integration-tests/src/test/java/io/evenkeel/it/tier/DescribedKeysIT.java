/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Tool;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ConfigEntry.ConfigSource;
import org.apache.kafka.clients.admin.DescribeConfigsOptions;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** What a broker says of our keys: in its log, and to a client that asks for its config. */
class DescribedKeysIT {
    private static final String INTERVAL = "tiered.ssd.copy.interval.ms";
    private static final String CAPACITY = "tiered.ssd.capacity.bytes";
    private static final String SHARE = "tiered.ssd.high.watermark.ratio";
    /** A Java record in a line of ours. */
    private static final Pattern RECORD = Pattern.compile("io\\.evenkeel.*\\b[A-Z]\\w+\\[\\w+=");

    private static final ConfigResource BROKER = new ConfigResource(ConfigResource.Type.BROKER, "1");
    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void keysAreShownFromTheStartWithTheirDefaultsAndDocumentation() throws Exception {
        Broker broker = brokers.start(config());
        try (Admin admin = Admin.create(broker.clientProperties())) {
            Config described = describe(admin, BROKER, true, true);
            ConfigEntry interval = entry(described, INTERVAL);
            assertThat(interval.value()).isEqualTo("1000");
            assertThat(interval.source()).isEqualTo(ConfigSource.DEFAULT_CONFIG);
            assertThat(interval.type()).isEqualTo(ConfigEntry.ConfigType.LONG);
            assertThat(interval.isReadOnly()).isFalse();
            assertThat(interval.isSensitive()).isFalse();
            assertThat(interval.documentation()).isNotBlank();
            assertThat(interval.synonyms())
                    .extracting(ConfigEntry.ConfigSynonym::value)
                    .containsExactly("1000");
            ConfigEntry capacity = entry(described, CAPACITY);
            assertThat(capacity.value()).isEqualTo("67108864");
            assertThat(capacity.source()).isEqualTo(ConfigSource.STATIC_BROKER_CONFIG);
            assertThat(capacity.isReadOnly()).isTrue();
            assertThat(capacity.documentation()).contains("How many bytes of segments");
            assertThat(entry(described, "flush.ratelimit.max.unflushed.ms").value())
                    .isEqualTo("30000");
            assertThat(entry(described, "flush.ratelimit.enable").value()).isNull();
            assertThat(described.entries()).extracting(ConfigEntry::name).doesNotHaveDuplicates();

            ConfigEntry plain = entry(describe(admin, BROKER, false, false), INTERVAL);
            assertThat(plain.documentation()).isNull();
            assertThat(plain.synonyms()).isEmpty();
            assertThat(describe(admin, ALL_BROKERS, true, true).entries())
                    .extracting(ConfigEntry::name)
                    .noneMatch(key -> key.startsWith("tiered.") || key.startsWith("flush."));
        }
        assertThat(Tool.brokerConfigs(dir, broker, "--describe", "--all", "--entity-name", "1")
                        .out())
                .contains("tiered.ssd.mode=on sensitive=false synonyms={DEFAULT_CONFIG:tiered.ssd.mode=on}");
        assertThat(Tool.brokerConfigs(dir, broker, "--describe", "--entity-name", "1")
                        .out())
                .doesNotContain("tiered.ssd");
        assertThat(Files.readString(broker.logFile()))
                .contains("The SSD tier is on: tiered.ssd.dirs="
                        + broker.config().ssdDirs().get(0) + ", tiered.ssd.capacity.bytes=67108864, ")
                .doesNotContainPattern(RECORD);
    }

    @Test
    void whatIsSetWinsOverTheAgentsFileAndThatOverTheBrokersOwn() throws Exception {
        Path file = Files.writeString(dir.resolve("ours.properties"), INTERVAL + "=70\n" + SHARE + "=0.85\n");
        BrokerConfig config = config().with(INTERVAL, 60);
        Broker broker = brokers.start(config.withAgent(Path.of(config.agentJar() + "=config=" + file)));
        try (Admin admin = Admin.create(broker.clientProperties())) {
            Config described = describe(admin, BROKER, true, false);
            assertThat(entry(described, INTERVAL).value()).isEqualTo("70");
            assertThat(entry(described, SHARE).value()).isEqualTo("0.85");
            assertThat(entry(described, SHARE).source()).isEqualTo(ConfigSource.STATIC_BROKER_CONFIG);
            assertThat(entry(described, SHARE).synonyms())
                    .extracting(ConfigEntry.ConfigSynonym::value)
                    .containsExactly("0.85", "0.9");

            admin.incrementalAlterConfigs(Map.of(
                            ALL_BROKERS,
                            List.of(new AlterConfigOp(new ConfigEntry(INTERVAL, "80"), AlterConfigOp.OpType.SET))))
                    .all()
                    .get(30, TimeUnit.SECONDS);
            await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
                ConfigEntry set = entry(describe(admin, BROKER, true, true), INTERVAL);
                assertThat(set.value()).isEqualTo("80");
                assertThat(set.source()).isEqualTo(ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG);
                assertThat(set.isReadOnly()).isFalse();
                assertThat(set.documentation()).isNotBlank();
                assertThat(set.synonyms())
                        .extracting(ConfigEntry.ConfigSynonym::value)
                        .contains("80", "1000");
            });
            ConfigEntry ofAll = entry(describe(admin, ALL_BROKERS, true, true), INTERVAL);
            assertThat(ofAll.value()).isEqualTo("80");
            assertThat(ofAll.documentation()).isNotBlank();
        }
    }

    private BrokerConfig config() {
        return BrokerConfig.under(dir.resolve("node"), 1, 1).patched().with(CAPACITY, 64 << 20);
    }

    private static Config describe(Admin admin, ConfigResource which, boolean synonyms, boolean documentation)
            throws Exception {
        DescribeConfigsOptions options =
                new DescribeConfigsOptions().includeSynonyms(synonyms).includeDocumentation(documentation);
        Map<ConfigResource, Config> described =
                admin.describeConfigs(List.of(which), options).all().get(30, TimeUnit.SECONDS);
        return Objects.requireNonNull(described.get(which));
    }

    private static ConfigEntry entry(Config described, String key) {
        return Objects.requireNonNull(described.get(key), key);
    }
}

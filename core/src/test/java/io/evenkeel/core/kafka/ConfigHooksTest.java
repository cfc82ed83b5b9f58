/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.core.ConfigKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.ConfigurationImage;
import org.apache.kafka.image.ConfigurationsImage;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import scala.Option;

class ConfigHooksTest {
    private static final Option<ConfigDef.Type> UNKNOWN = Option.empty();

    /** A patch with one key that can be changed and one that cannot. */
    private static final class Sample implements PatchConfig {
        private final ConfigKey<Long> rate;
        private final ConfigKey<List<String>> dirs;
        private final PatchKeys keys;
        private @Nullable LiveSettings<Long> settings;
        Map<String, ?> started = Map.of();
        final List<Long> changes = new ArrayList<>();

        Sample(String prefix) {
            rate = ConfigKey.ofLong(prefix + "rate", ConfigKey.Importance.LOW, 7, "")
                    .dynamic()
                    .where(value -> value > 0, "must be positive");
            dirs = ConfigKey.ofList(prefix + "dirs", ConfigKey.Importance.LOW, list -> list, "");
            keys = new PatchKeys(prefix, List.of(rate, dirs));
        }

        @Override
        public PatchKeys keys() {
            return keys;
        }

        @Override
        public String announcement(Map<String, ?> brokerConfig) {
            return keys.values(brokerConfig).toString();
        }

        @Override
        public void start(Map<String, ?> brokerConfig, LogDirFailureChannel failures) {
            started = brokerConfig;
            settings = new LiveSettings<>(
                    new LiveSettings.Subject<>(
                            "the sample", LoggerFactory.getLogger("sample"), keys, this::rate, changes::add),
                    rate(brokerConfig),
                    brokerConfig,
                    "1");
        }

        private Long rate(Map<String, ?> config) {
            PatchValues values = keys.values(config);
            return values.settings(() -> {
                rate.check(values.get(rate));
                return values.get(rate);
            });
        }

        @Override
        public @Nullable LiveSettings<?> settings() {
            return settings;
        }
    }

    private static final Sample ONE = new Sample("one.");
    private static final Sample OTHER = new Sample("other.");

    @BeforeAll
    static void start() throws IOException {
        ConfigHooks.register(ONE);
        ConfigHooks.register(OTHER);
        ConfigHooks.overrides(Map.of("one.rate", "5"));
        Map<String, String> own = Map.of("one.rate", "1", "other.dirs", "/a, /b", "node.id", "1");
        ConfigHooks.start(new AbstractConfig(new ConfigDef(), own, false), new LogDirFailureChannel(1));
    }

    @Test
    void eachPatchStartsWithTheBrokersConfigAndTheOverrides() {
        Map<String, Object> expected = new HashMap<>(Map.of("one.rate", "5", "other.dirs", "/a, /b", "node.id", "1"));
        assertThat(ONE.started).isEqualTo(expected);
        assertThat(OTHER.started).isEqualTo(expected);
        assertThat(ONE.keys.values(ONE.started)).hasToString("one.rate=5, one.dirs=");
        assertThat(OTHER.keys.values(OTHER.started)).hasToString("other.rate=7, other.dirs=/a,/b");
    }

    @Test
    void aChangeIsCheckedByThePatchWhoseKeyItIs() {
        ConfigHooks.validate(change("one.rate", "9"), true);
        ConfigHooks.validate(change("log.retention.ms", "0"), true);
        assertRefused("one.rate", "0", "one.rate=0: must be positive");
        assertRefused("other.rate", "0", "other.rate=0: must be positive");
        assertRefused("other.rat", "9", "Unknown key other.rat=9; did you mean other.rate?");
        assertRefused(
                "other.dirs",
                "/a",
                "other.dirs cannot be changed while the broker runs: set it in server.properties and restart the"
                        + " broker.");
    }

    /** A broker without the patch has accepted it; now it must not keep all other changes away. */
    @Test
    void whatIsSetAlreadyIsNotRefusedAgain() {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "7");
        Map<String, String> set = Map.of("other.rat", "8", "other.rate", "fast");
        ConfigHooks.remember(new ConfigurationsImage(Map.of(broker, new ConfigurationImage(broker, set))));
        try {
            Properties change = change("other.rat", "8");
            change.setProperty("other.rate", "fast");
            change.setProperty("one.rate", "9");
            ConfigHooks.validate(change, true);
            assertRefused("other.rat", "9", "Unknown key other.rat=9; did you mean other.rate?");
        } finally {
            ConfigHooks.remember(ConfigurationsImage.EMPTY);
        }
    }

    @Test
    void theTypeOfAKeyIsKnownAndOtherKeysAreKafkas() {
        assertThat(ConfigHooks.configType("one.rate", UNKNOWN)).isEqualTo(Option.apply(ConfigDef.Type.LONG));
        assertThat(ConfigHooks.configType("other.dirs", UNKNOWN)).isEqualTo(Option.apply(ConfigDef.Type.LIST));
        assertThat(ConfigHooks.configType("one.unknown", UNKNOWN)).isSameAs(UNKNOWN);
    }

    @Test
    void theSettingsInTheMetadataAreTakenOver() {
        ConfigResource broker = new ConfigResource(ConfigResource.Type.BROKER, "1");
        ConfigurationsImage image =
                new ConfigurationsImage(Map.of(broker, new ConfigurationImage(broker, Map.of("other.rate", "12"))));
        requireNonNull(OTHER.settings()).update(image);
        assertThat(OTHER.changes).containsExactly(12L);
        requireNonNull(OTHER.settings()).update(ConfigurationsImage.EMPTY);
        assertThat(OTHER.changes).containsExactly(12L, 7L);
    }

    private static void assertRefused(String key, String value, String message) {
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> ConfigHooks.validate(change(key, value), true))
                .withMessage(message);
    }

    private static Properties change(String key, String value) {
        Properties properties = new Properties();
        properties.setProperty(key, value);
        return properties;
    }
}

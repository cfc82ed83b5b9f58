/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

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
import org.apache.kafka.common.message.DescribeConfigsRequestData.DescribeConfigsResource;
import org.apache.kafka.common.message.DescribeConfigsResponseData.DescribeConfigsResult;
import org.apache.kafka.image.ConfigurationsImage;
import org.apache.kafka.image.MetadataImage;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * The static door through which woven broker code reaches the config of all patches. Thread safe.
 *
 * <p>The agent registers the patches that are woven in, before any woven class loads. Nothing here starts slf4j or
 * loads a class of Kafka's: that is the broker's to do.
 */
public final class ConfigHooks {
    private static volatile @Nullable ConfigurationsImage configs;
    private static volatile Registered registered = new Registered(List.of(), Map.of());

    private record Registered(List<PatchConfig> patches, Map<String, String> overrides) {}

    private ConfigHooks() {}

    /** Keys that the agent's {@code config=<file>} adds to the broker's own config, or overrides in it. */
    public static synchronized void overrides(Map<String, String> keys) {
        registered = new Registered(registered.patches(), Map.copyOf(keys));
    }

    /** Adds a patch that is woven in. */
    public static synchronized void register(PatchConfig patch) {
        List<PatchConfig> patches = new ArrayList<>(registered.patches());
        patches.add(patch);
        registered = new Registered(List.copyOf(patches), registered.overrides());
    }

    /** A broker's own config with the overrides. */
    public static Map<String, Object> values(AbstractConfig config) {
        Map<String, Object> values = new HashMap<>(config.originals());
        values.putAll(registered.overrides());
        return values;
    }

    /**
     * Called on entry to {@code LogManager.apply}, before any log is loaded.
     *
     * @param failures where Kafka waits for log directories that have failed
     * @throws ConfigException when a key of ours is unknown or impossible
     * @throws IOException when a patch cannot work with what is on the disks
     */
    public static void start(AbstractConfig config, LogDirFailureChannel failures) throws IOException {
        for (PatchConfig patch : registered.patches()) {
            patch.start(values(config), failures);
        }
    }

    /**
     * Called on entry to {@code DynamicBrokerConfig.validate}, on a broker or controller that was asked to change
     * configs.
     *
     * @param configs all that a broker, or all brokers, would have after the change
     * @param perBroker whether they are of one broker
     * @throws ConfigException when one of ours is unknown, static or impossible; Kafka then refuses the change with
     *     this message
     */
    public static void validate(Properties configs, boolean perBroker) {
        for (PatchConfig patch : registered.patches()) {
            Map<String, String> ours = patch.keys().checkedChange(configs, ConfigHooks::isSet);
            LiveSettings<?> settings = patch.settings();
            if (settings != null) {
                settings.check(ours, perBroker);
            }
        }
    }

    /** Whether any broker, or all brokers, have that key with that value in the cluster's metadata. */
    private static boolean isSet(String key, String value) {
        ConfigurationsImage known = configs;
        return known != null
                && known.resourceData().values().stream()
                        .filter(config -> config.resource().type() == ConfigResource.Type.BROKER)
                        .anyMatch(config -> value.equals(config.data().get(key)));
    }

    /**
     * Called on entry to {@code BrokerMetadataPublisher.onMetadataUpdate}: the first time before any log is loaded,
     * later for each change of the cluster's metadata.
     */
    public static void metadata(MetadataImage image) {
        remember(image.configs());
        for (PatchConfig patch : registered.patches()) {
            LiveSettings<?> settings = patch.settings();
            if (settings != null) {
                settings.update(image.configs());
                patch.updated();
            }
        }
    }

    /** What is set in the cluster now. */
    static void remember(ConfigurationsImage image) {
        configs = image;
    }

    /**
     * Called on exit from {@code ConfigHelper.describeConfigs}: adds our keys to what a broker tells of its config.
     *
     * @param asked what a client wants to know
     * @param answers one for each, in the same order
     */
    public static void described(
            Seq<DescribeConfigsResource> asked,
            Seq<DescribeConfigsResult> answers,
            boolean withSynonyms,
            boolean withDocumentation) {
        Registered known = registered;
        DescribedKeys keys = new DescribedKeys(
                known.patches().stream()
                        .flatMap(patch -> patch.keys().all().stream())
                        .toList(),
                known.overrides(),
                withSynonyms,
                withDocumentation);
        for (int i = 0; i < answers.size(); i++) {
            keys.complete(asked.apply(i), answers.apply(i));
        }
    }

    /** Called on exit from {@code KafkaConfig.configType}: without a type, a value is hidden when it is described. */
    public static Option<ConfigDef.Type> configType(String key, Option<ConfigDef.Type> stock) {
        for (PatchConfig patch : registered.patches()) {
            ConfigDef.Type ours = patch.keys().typeOf(key);
            if (ours != null) {
                return Option.apply(ours);
            }
        }
        return stock;
    }
}

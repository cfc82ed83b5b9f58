/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import io.kafkapatches.tiered.DynamicSettings;
import io.kafkapatches.tiered.TieredSettings;
import io.kafkapatches.tiered.TieredSsd;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.ConfigurationsImage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running tier's settings: what {@code kafka-configs.sh} has set for this broker wins over what it has set for all, and
 * that wins over {@code server.properties}.
 *
 * <p>{@link #check} is called from any thread; {@link #update} on the one that Kafka publishes metadata on.
 */
final class LiveSettings {
    private static final Logger LOG = LoggerFactory.getLogger("io.kafkapatches.tiered");
    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");

    /** What is in the cluster's metadata. */
    private record Persisted(Map<String, String> ofAll, Map<String, String> ofThis) {}

    private final TieredSsd tier;
    private final Map<String, ?> atStart;
    private final ConfigResource thisBroker;
    private DynamicSettings inForce;
    private volatile Persisted persisted = new Persisted(Map.of(), Map.of());

    /** @param atStart the broker's config, with our overrides, that {@code settings} were read from */
    LiveSettings(TieredSsd tier, TieredSettings settings, Map<String, ?> atStart, String nodeId) {
        this.tier = tier;
        this.inForce = settings.dynamic();
        this.atStart = atStart.entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(TieredSsdConfig.PREFIX))
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
        this.thisBroker = new ConfigResource(ConfigResource.Type.BROKER, nodeId);
    }

    /**
     * Checks what is about to be set.
     *
     * @param ours what all brokers, or this one, would have then; checked one by one already
     * @throws ConfigException when it is impossible together with what else holds here
     */
    void check(Map<String, String> ours, boolean perBroker) {
        Persisted now = persisted;
        settings(perBroker ? new Persisted(now.ofAll(), ours) : new Persisted(ours, now.ofThis()));
    }

    /**
     * Takes over what the cluster's metadata has now. What is impossible here, because another broker accepted it or two
     * commands crossed, is reported and changes nothing.
     */
    void update(ConfigurationsImage image) {
        Persisted latest = new Persisted(
                DynamicKeys.in(image.configProperties(ALL_BROKERS)),
                DynamicKeys.in(image.configProperties(thisBroker)));
        if (latest.equals(persisted)) {
            return;
        }
        persisted = latest;
        try {
            change(settings(latest));
        } catch (ConfigException | IOException e) {
            LOG.error(
                    "The SSD tier cannot take over what was set with kafka-configs.sh and keeps its settings ({}); correct "
                            + "what was set: {}",
                    TieredSsdConfig.values(inForce),
                    e.getMessage());
        }
    }

    private DynamicSettings settings(Persisted wanted) {
        Map<String, Object> values = new HashMap<>(atStart);
        values.putAll(wanted.ofAll());
        values.putAll(wanted.ofThis());
        TieredSettings settings = TieredSsdConfig.parse(values);
        if (settings == null) {
            throw new IllegalStateException("The tier is on without " + TieredSettings.DIRS);
        }
        return settings.dynamic();
    }

    private void change(DynamicSettings next) throws IOException {
        if (next.equals(inForce)) {
            return;
        }
        tier.reconfigure(next);
        LOG.info("Settings of the SSD tier have changed: {}", difference(inForce, next));
        inForce = next;
    }

    /** As in {@code tiered.ssd.mode from on to paused}. */
    private static String difference(DynamicSettings from, DynamicSettings to) {
        Map<String, String> after = TieredSsdConfig.values(to);
        return TieredSsdConfig.values(from).entrySet().stream()
                .filter(before -> !before.getValue().equals(after.get(before.getKey())))
                .map(before -> before.getKey() + " from " + before.getValue() + " to " + after.get(before.getKey()))
                .collect(Collectors.joining(", "));
    }
}

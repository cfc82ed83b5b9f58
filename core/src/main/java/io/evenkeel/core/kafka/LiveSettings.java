/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.image.ConfigurationsImage;
import org.slf4j.Logger;

/**
 * The settings of a patch that is on: what {@code kafka-configs.sh} has set for this broker wins over what it has set
 * for all, and that wins over {@code server.properties}.
 *
 * <p>{@link #check} is called from any thread; {@link #update} on the one that Kafka publishes metadata on.
 *
 * @param <S> what can be changed while the broker runs
 */
public final class LiveSettings<S> {
    private static final ConfigResource ALL_BROKERS = new ConfigResource(ConfigResource.Type.BROKER, "");

    /**
     * The patch that has the settings.
     *
     * @param name for messages, as in {@code the SSD tier}
     * @param parse reads all keys of the patch; throws a {@link ConfigException} when they are impossible together
     */
    public record Subject<S>(
            String name, Logger log, PatchKeys keys, Function<Map<String, ?>, S> parse, Change<S> change) {}

    /** Takes over new settings. */
    @FunctionalInterface
    public interface Change<S> {
        void to(S settings) throws IOException;
    }

    /** The patch's keys in the cluster's metadata. */
    private record Persisted(Map<String, String> ofAll, Map<String, String> ofThis) {}

    private final Subject<S> subject;
    private final Map<String, ?> atStart;
    private final ConfigResource thisBroker;
    private S inForce;
    private Map<String, String> shown;
    private Map<String, String> reported = Map.of();
    private volatile Persisted persisted = new Persisted(Map.of(), Map.of());

    /** @param atStart the broker's config, with our overrides, that {@code inForce} was read from */
    public LiveSettings(Subject<S> subject, S inForce, Map<String, ?> atStart, String nodeId) {
        this.subject = subject;
        this.inForce = inForce;
        this.atStart = Map.copyOf(subject.keys().of(atStart));
        this.shown = subject.keys().dynamicOf(this.atStart);
        this.thisBroker = new ConfigResource(ConfigResource.Type.BROKER, nodeId);
    }

    /**
     * Checks a change before Kafka accepts it.
     *
     * @param ours the patch's keys that all brokers, or this one, would have then; checked one by one already
     * @throws ConfigException when they are impossible together with the other settings of this broker
     */
    public void check(Map<String, String> ours, boolean perBroker) {
        Persisted now = persisted;
        parse(values(perBroker ? new Persisted(now.ofAll(), ours) : new Persisted(ours, now.ofThis())));
    }

    /**
     * Takes over the settings in the cluster's metadata. Settings that are impossible here, because another broker
     * accepted them or two commands crossed, are reported and change nothing.
     */
    public void update(ConfigurationsImage image) {
        reportUnusable(image);
        Persisted latest = new Persisted(
                subject.keys().dynamicIn(image.configProperties(ALL_BROKERS)),
                subject.keys().dynamicIn(image.configProperties(thisBroker)));
        if (latest.equals(persisted)) {
            return;
        }
        persisted = latest;
        try {
            change(values(latest));
        } catch (ConfigException | IOException e) {
            subject.log()
                    .error(
                            "The config that was set with kafka-configs.sh cannot be used on this broker; {} keeps its"
                                    + " settings ({}). Correct the config: {}",
                            subject.name(),
                            shown,
                            e.getMessage());
        }
    }

    /** A broker without the patch accepts whatever begins with our prefix. */
    private void reportUnusable(ConfigurationsImage image) {
        Map<String, String> unusable = subject.keys().unusableIn(image.configProperties(ALL_BROKERS));
        unusable.putAll(subject.keys().unusableIn(image.configProperties(thisBroker)));
        if (!unusable.equals(reported)) {
            unusable.forEach((key, reason) -> subject.log()
                    .error(
                            "A key that was set with kafka-configs.sh is left out by {}: {} Delete it with"
                                    + " --delete-config {}.",
                            subject.name(),
                            reason,
                            key));
        }
        reported = unusable;
    }

    private Map<String, Object> values(Persisted wanted) {
        Map<String, Object> values = new HashMap<>(atStart);
        values.putAll(wanted.ofAll());
        values.putAll(wanted.ofThis());
        return values;
    }

    private S parse(Map<String, Object> values) {
        return subject.parse().apply(values);
    }

    private void change(Map<String, Object> values) throws IOException {
        S next = parse(values);
        if (next.equals(inForce)) {
            return;
        }
        subject.change().to(next);
        Map<String, String> nextShown = subject.keys().dynamicOf(values);
        subject.log().info("Settings of {} have changed: {}", subject.name(), difference(shown, nextShown));
        inForce = next;
        shown = nextShown;
    }

    /** As in {@code tiered.ssd.mode from on to paused}. */
    private static String difference(Map<String, String> from, Map<String, String> to) {
        return from.entrySet().stream()
                .filter(before -> !before.getValue().equals(to.get(before.getKey())))
                .map(before -> before.getKey() + " from " + before.getValue() + " to " + to.get(before.getKey()))
                .collect(Collectors.joining(", "));
    }
}

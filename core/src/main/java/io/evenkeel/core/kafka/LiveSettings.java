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
     * What a patch has settings of.
     *
     * @param name for people, as in {@code the SSD tier}
     * @param parse reads all keys of the patch; throws a {@link ConfigException} when they are impossible together
     * @param values the same settings by key, as an operator writes them
     */
    public record Subject<S>(
            String name,
            Logger log,
            PatchKeys keys,
            Function<Map<String, ?>, S> parse,
            Function<S, Map<String, String>> values,
            Change<S> change) {}

    /** Takes over new settings. */
    @FunctionalInterface
    public interface Change<S> {
        void to(S settings) throws IOException;
    }

    /** What is in the cluster's metadata. */
    private record Persisted(Map<String, String> ofAll, Map<String, String> ofThis) {}

    private final Subject<S> subject;
    private final Map<String, ?> atStart;
    private final ConfigResource thisBroker;
    private S inForce;
    private volatile Persisted persisted = new Persisted(Map.of(), Map.of());

    /** @param atStart the broker's config, with our overrides, that {@code inForce} was read from */
    public LiveSettings(Subject<S> subject, S inForce, Map<String, ?> atStart, String nodeId) {
        this.subject = subject;
        this.inForce = inForce;
        this.atStart = Map.copyOf(subject.keys().of(atStart));
        this.thisBroker = new ConfigResource(ConfigResource.Type.BROKER, nodeId);
    }

    /**
     * Checks what is about to be set.
     *
     * @param ours what all brokers, or this one, would have then; checked one by one already
     * @throws ConfigException when it is impossible together with what else holds here
     */
    public void check(Map<String, String> ours, boolean perBroker) {
        Persisted now = persisted;
        settings(perBroker ? new Persisted(now.ofAll(), ours) : new Persisted(ours, now.ofThis()));
    }

    /**
     * Takes over what the cluster's metadata has now. What is impossible here, because another broker accepted it or
     * two commands crossed, is reported and changes nothing.
     */
    public void update(ConfigurationsImage image) {
        Persisted latest = new Persisted(
                subject.keys().dynamicIn(image.configProperties(ALL_BROKERS)),
                subject.keys().dynamicIn(image.configProperties(thisBroker)));
        if (latest.equals(persisted)) {
            return;
        }
        persisted = latest;
        try {
            change(settings(latest));
        } catch (ConfigException | IOException e) {
            subject.log()
                    .error(
                            "What was set with kafka-configs.sh cannot be taken over by {}, which keeps its settings ({}); "
                                    + "correct what was set: {}",
                            subject.name(),
                            subject.values().apply(inForce),
                            e.getMessage());
        }
    }

    private S settings(Persisted wanted) {
        Map<String, Object> values = new HashMap<>(atStart);
        values.putAll(wanted.ofAll());
        values.putAll(wanted.ofThis());
        return subject.parse().apply(values);
    }

    private void change(S next) throws IOException {
        if (next.equals(inForce)) {
            return;
        }
        subject.change().to(next);
        subject.log().info("Settings of {} have changed: {}", subject.name(), difference(inForce, next));
        inForce = next;
    }

    /** As in {@code tiered.ssd.mode from on to paused}. */
    private String difference(S from, S to) {
        Map<String, String> after = subject.values().apply(to);
        return subject.values().apply(from).entrySet().stream()
                .filter(before -> !before.getValue().equals(after.get(before.getKey())))
                .map(before -> before.getKey() + " from " + before.getValue() + " to " + after.get(before.getKey()))
                .collect(Collectors.joining(", "));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import io.kafkapatches.core.Worker;
import io.kafkapatches.core.kafka.LiveSettings;
import io.kafkapatches.core.kafka.SharedCeilings;
import io.kafkapatches.tiered.DynamicSettings;
import io.kafkapatches.tiered.TieredSsd;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tier that is on, its settings, and its workers. Thread safe.
 *
 * <p>The workers start late: what {@code kafka-configs.sh} has set is known only when the cluster's metadata has arrived,
 * and a tier that was paused before a restart must not copy or evict anything after it.
 */
final class RunningTier {
    private static final Logger LOG = LoggerFactory.getLogger("io.kafkapatches.tiered");

    private final TieredSsd tier;
    private final LiveSettings<DynamicSettings> settings;
    private final AtomicBoolean working = new AtomicBoolean();

    RunningTier(TieredSsd tier, LiveSettings<DynamicSettings> settings) {
        this.tier = tier;
        this.settings = settings;
    }

    TieredSsd tier() {
        return tier;
    }

    LiveSettings<DynamicSettings> settings() {
        return settings;
    }

    /** Starts the workers, once. */
    void work() {
        if (working.compareAndSet(false, true)) {
            tier.workers(SharedCeilings.ofBroker())
                    .forEach((name, step) ->
                            new Worker("kafka-patches-tiered " + name, step, RunningTier::report).start());
        }
    }

    private static void report(String worker, Throwable failure) {
        LOG.error("{} failed and will go on after a pause; requests are not concerned.", worker, failure);
    }
}

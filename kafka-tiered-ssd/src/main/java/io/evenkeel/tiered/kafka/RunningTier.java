/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.evenkeel.core.Worker;
import io.evenkeel.core.kafka.LiveSettings;
import io.evenkeel.core.kafka.SharedCeilings;
import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.coldread.ColdReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tier that is on, its settings, and its workers. Thread safe.
 *
 * <p>The workers start late: the settings from {@code kafka-configs.sh} are known only when the cluster's metadata has
 * arrived, and a tier that was paused before a restart must not copy or evict anything after it.
 */
final class RunningTier {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");

    /** Longer than a step takes, unless a disk hangs. */
    private static final long STOP_MS = 10_000;

    private static final int DEFAULT_IO_THREADS = 8;

    private final TieredSsd tier;
    private final LiveSettings<DynamicTierSettings> settings;

    /** Null until they are started. */
    @GuardedBy("this")
    private @Nullable List<Worker> workers;

    RunningTier(TieredSsd tier, LiveSettings<DynamicTierSettings> settings) {
        this.tier = tier;
        this.settings = settings;
    }

    /** How many threads serve the broker's requests. */
    static int requestHandlers(Map<String, ?> brokerConfig) {
        Object threads = brokerConfig.get("num.io.threads");
        return threads == null
                ? DEFAULT_IO_THREADS
                : Integer.parseInt(threads.toString().trim());
    }

    TieredSsd tier() {
        return tier;
    }

    LiveSettings<DynamicTierSettings> settings() {
        return settings;
    }

    /** Starts the workers, once. */
    synchronized void work() {
        if (workers == null) {
            List<Worker> started = new ArrayList<>();
            tier.workers(SharedCeilings.ofBroker(), System::currentTimeMillis)
                    .forEach((name, step) ->
                            started.add(new Worker("evenkeel-tiered " + name, step, RunningTier::report).start()));
            tier.coldReaders().forEach((name, reader) -> started.add(start(name, reader)));
            workers = started;
        }
    }

    private static Worker start(String name, ColdReader reader) {
        Worker worker = new Worker("evenkeel-tiered " + name, reader::step, RunningTier::report).start();
        reader.start(worker::wake);
        return worker;
    }

    /** Ends the workers for good, and waits for their current steps; but not for ever, as a disk may hang. */
    void stopWork() {
        List<Worker> taken = take();
        tier.coldReaders().values().forEach(ColdReader::stop);
        if (haveEnded(taken)) {
            LOG.info("Copy and eviction have ended, as the broker shuts down.");
        } else {
            LOG.warn("The broker shuts down while a copy or an eviction still waits for a disk. Start no other process"
                    + " on these directories before this one has ended.");
        }
    }

    private synchronized List<Worker> take() {
        List<Worker> taken = workers == null ? List.of() : workers;
        workers = List.of();
        return taken;
    }

    private static boolean haveEnded(List<Worker> stopped) {
        stopped.forEach(Worker::close);
        long deadlineNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MS);
        boolean haveEnded = true;
        try {
            for (Worker worker : stopped) {
                haveEnded &= worker.close(TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // Kafka's shutdown goes on
            return false;
        }
        return haveEnded;
    }

    private static void report(String worker, Throwable failure) {
        LOG.error("{} failed and will try again after a pause. Requests are not affected.", worker, failure);
    }
}

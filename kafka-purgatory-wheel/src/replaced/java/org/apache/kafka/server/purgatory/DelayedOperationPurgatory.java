/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.kafka.server.purgatory;

import io.evenkeel.purgatory.WatchLists;
import io.evenkeel.purgatory.kafka.ExpirationReaper;
import io.evenkeel.purgatory.kafka.WakeUp;
import io.evenkeel.purgatory.kafka.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.apache.kafka.server.util.timer.SystemTimer;
import org.apache.kafka.server.util.timer.Timer;
import org.jspecify.annotations.NullMarked;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests that wait for an event under their keys, or for their timeout. Replaces Kafka's class of this name.
 * Thread safe.
 *
 * <p>A completed request is in no list any more, so there is nothing to purge.
 */
@NullMarked
public class DelayedOperationPurgatory<T extends DelayedOperation> {
    private static final Logger LOG = LoggerFactory.getLogger(DelayedOperationPurgatory.class);
    private static final int PURGE_INTERVAL = 1000;

    private final KafkaMetricsGroup metrics = new KafkaMetricsGroup("kafka.server", "DelayedOperationPurgatory");
    private final Map<String, String> tags;
    private final String name;
    private final Timer timer;
    private final boolean reaperEnabled;
    private final boolean timerEnabled;
    private final ExpirationReaper reaper;
    private final WatchLists<DelayedOperationKey, Watch<DelayedOperation>> lists =
            new WatchLists<>(watch -> watch.operation.safeTryComplete());

    public DelayedOperationPurgatory(String purgatoryName, Timer timer, int brokerId, boolean reaperEnabled) {
        this(purgatoryName, timer, brokerId, PURGE_INTERVAL, reaperEnabled, true);
    }

    public DelayedOperationPurgatory(String purgatoryName, Timer timer, int brokerId, int purgeInterval) {
        this(purgatoryName, timer, brokerId, purgeInterval, true, true);
    }

    public DelayedOperationPurgatory(String purgatoryName, int brokerId) {
        this(purgatoryName, brokerId, PURGE_INTERVAL);
    }

    public DelayedOperationPurgatory(String purgatoryName, int brokerId, int purgeInterval) {
        this(purgatoryName, new SystemTimer(purgatoryName), brokerId, purgeInterval, true, true);
    }

    /**
     * @param purgeInterval has no effect
     * @param reaperEnabled whether the purgatory starts a thread that drives the timer
     * @param timerEnabled whether requests time out at all
     */
    @SuppressWarnings("this-escape") // the gauges and the thread begin when all fields are set
    public DelayedOperationPurgatory(
            String purgatoryName,
            Timer timeoutTimer,
            int brokerId,
            int purgeInterval,
            boolean reaperEnabled,
            boolean timerEnabled) {
        this.name = purgatoryName;
        this.timer = timeoutTimer;
        this.reaperEnabled = reaperEnabled;
        this.timerEnabled = timerEnabled;
        this.tags = Map.of("delayedOperation", purgatoryName);
        this.reaper =
                new ExpirationReaper("ExpirationReaper-" + brokerId + "-" + purgatoryName, timeoutTimer::advanceClock);
        metrics.newGauge("PurgatorySize", this::watched, tags);
        metrics.newGauge("NumDelayedOperations", this::numDelayed, tags);
        if (reaperEnabled) {
            reaper.start();
        }
    }

    /**
     * Completes the request if that is possible now. Otherwise the request waits under the keys, or until its timeout.
     *
     * @return whether this call has completed it
     */
    public <K extends DelayedOperationKey> boolean tryCompleteElseWatch(T operation, List<K> watchKeys) {
        if (watchKeys.isEmpty()) {
            throw new IllegalArgumentException("The watch key list can't be empty");
        }
        if (operation.safeTryCompleteOrElse(() -> operation.watch(lists, watchKeys))) {
            return true;
        }
        if (!operation.isCompleted()) {
            if (timerEnabled) {
                timer.add(operation);
            }
            if (operation.isCompleted()) {
                operation.cancel(); // it may have been completed before the timer had it
            }
        }
        return false;
    }

    /**
     * Completes the requests under the key that can be completed now.
     *
     * @return how many this call has completed
     */
    public <K extends DelayedOperationKey> int checkAndComplete(K key) {
        int completed = lists.checkAndComplete(key);
        if (completed > 0) {
            LOG.debug("{} of {} were completed under {}", completed, name, key);
        }
        return completed;
    }

    /** The number of waiting requests, each counted once for each of its keys. */
    public int watched() {
        return lists.watched();
    }

    /** The number of requests that wait for their timeout. */
    public int numDelayed() {
        return timer.size();
    }

    /** Removes all requests from the key and from the timer, without completing them. */
    @SuppressWarnings("unchecked") // only such operations were watched
    public List<T> cancelForKey(DelayedOperationKey key) {
        List<T> cancelled = new ArrayList<>();
        for (Watch<DelayedOperation> watch : lists.cancelForKey(key)) {
            watch.operation.cancel();
            cancelled.add((T) watch.operation);
        }
        return cancelled;
    }

    /** Ends the thread and the timer. Requests that still wait are not completed. */
    public void shutdown() throws Exception {
        if (reaperEnabled) {
            reaper.initiateShutdown();
            timer.add(new WakeUp());
            reaper.awaitShutdown();
        }
        timer.close();
        metrics.removeMetric("PurgatorySize", tags);
        metrics.removeMetric("NumDelayedOperations", tags);
    }
}

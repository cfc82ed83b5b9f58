/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import java.util.List;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;

/** A purgatory of any design. Thread safe. */
public interface PurgatoryDesign extends AutoCloseable {
    /** Does nothing when a request expires. */
    Runnable NOTHING = () -> {};

    /** A request that waits in a purgatory. */
    interface Waiting {
        /**
         * Completes the request whether its condition holds or not; false when it was completed or had expired before.
         */
        boolean complete();

        /** From now on the request's condition holds, and the next check of one of its keys completes the request. */
        void allow();
    }

    /** Watches a new request, whose condition does not hold, under all of the keys until the timeout. */
    Waiting watch(List<TopicPartitionOperationKey> keys, long timeoutMs, Runnable whenExpired);

    /** Checks all requests under a key; returns how many could be completed. */
    int checkAndComplete(TopicPartitionOperationKey key);

    /** The entries of all watch lists, including those of completed requests that are still there. */
    int watched();

    /** Whether requests expire at their timeout. */
    default boolean expires() {
        return true;
    }

    @Override
    void close();

    /** {@code kafka} is the class with Kafka's name that is first on the class path. */
    static PurgatoryDesign named(String name) {
        return switch (name) {
            case "kafka" -> new KafkaPurgatoryDesign();
            case "delayQueue" -> new DelayQueuePurgatoryDesign();
            case "empty" -> new EmptyPurgatoryDesign();
            default -> throw new IllegalArgumentException("unknown purgatory: " + name);
        };
    }
}

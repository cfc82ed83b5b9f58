/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.util.List;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;

/** A purgatory under load, of any design; thread safe. */
interface PurgatoryDesign extends AutoCloseable {
    /** Does nothing when a request expires. */
    Runnable NOTHING = () -> {};

    /** A request that waits for being completed. */
    interface Waiting {
        /** Completes it whatever its condition is; false when it was completed or has expired before. */
        boolean complete();

        /** From now on its condition holds, and who looks at it completes it. */
        void allow();
    }

    /** Has a new request, whose condition does not hold, wait under all of the keys until the timeout. */
    Waiting watch(List<TopicPartitionOperationKey> keys, long timeoutMs, Runnable whenExpired);

    /** Looks at all that wait under a key; answers how many could be completed. */
    int checkAndComplete(TopicPartitionOperationKey key);

    /** Entries in all watch lists; those of completed requests count as long as they are there. */
    int watched();

    @Override
    void close();

    /** {@code kafka} is whatever has Kafka's name on the class path. */
    static PurgatoryDesign named(String name) {
        return switch (name) {
            case "kafka" -> new KafkaPurgatoryDesign();
            case "delayQueue" -> new DelayQueuePurgatoryDesign();
            case "empty" -> new EmptyPurgatoryDesign();
            default -> throw new IllegalArgumentException("no such purgatory: " + name);
        };
    }
}

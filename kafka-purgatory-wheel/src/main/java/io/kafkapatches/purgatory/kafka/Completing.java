/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.purgatory.kafka;

import io.kafkapatches.purgatory.Completion;
import java.util.function.Predicate;

/**
 * A {@link Completion} of methods of Kafka's requests, which only their own package may call. Immutable.
 *
 * @param completed see {@link #isCompleted}
 * @param attempt see {@link #tryComplete}
 */
public record Completing<R>(Predicate<R> completed, Predicate<R> attempt) implements Completion<R> {
    @Override
    public boolean isCompleted(R request) {
        return completed.test(request);
    }

    @Override
    public boolean tryComplete(R request) {
        return attempt.test(request);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import io.evenkeel.purgatory.Timeout;
import io.evenkeel.purgatory.Watched;

/**
 * What an operation is in the watch lists. Thread safe.
 *
 * <p>It is not the operation itself: Kafka's timer tasks are the superclass of its operations, and a task without keys
 * should not have the fields of a watch. The fewer bytes a task has, the faster it is to add and to cancel.
 *
 * @param <T> the operation
 */
public final class Watch<T extends Timeout> extends Watched {
    public final T operation;

    /** Begins free and watched nowhere. */
    public Watch(T operation) {
        super(operation);
        this.operation = operation;
    }
}

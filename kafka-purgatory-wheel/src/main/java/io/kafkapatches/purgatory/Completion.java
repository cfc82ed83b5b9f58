/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.purgatory;

/**
 * How {@link WatchLists} asks a request about its completion. Called without any lock of the lists, so that it may watch,
 * check and complete in turn.
 *
 * @param <R> the requests
 */
public interface Completion<R> {
    /** Takes no lock: it is asked so that nobody waits for a request that is completed, but whose lock is still held. */
    boolean isCompleted(R request);

    /** Tries to complete it under its own lock; true if this very call has completed it. */
    boolean tryComplete(R request);
}

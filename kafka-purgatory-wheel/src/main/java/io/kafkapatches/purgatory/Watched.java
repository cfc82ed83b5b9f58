/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.purgatory;

import org.jspecify.annotations.Nullable;

/**
 * What can wait under keys in {@link WatchLists}, and for its time in a {@link WheelTimer}: the state that a request
 * carries for both, and no behaviour.
 */
public abstract class Watched extends Timeout {
    /**
     * Where it is watched: nowhere (null), in one {@link Row}, or in each of a {@code Row[]} that is not null. An array
     * for all would cost a request under one key more than all else. Guarded by the request's own lock; see
     * {@link WatchLists}.
     */
    @Nullable
    Object rows;

    /** The numbers of the places that it took in its rows, of which it remembers the last five: where to look first. */
    int lastPlaces;

    /** Watched nowhere. */
    protected Watched() {}
}

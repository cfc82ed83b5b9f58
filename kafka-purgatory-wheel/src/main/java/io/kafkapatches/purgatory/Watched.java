/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.purgatory;

import org.jspecify.annotations.Nullable;

/**
 * What can wait under keys in {@link WatchLists}, and for its time in a {@link WheelTimer}: the state that a request
 * carries for both, and no behaviour.
 */
public abstract class Watched extends Timeout {
    /**
     * Where it is watched: nowhere (null), in this {@link Row} and perhaps in {@link #second} and {@link #third}, or in each
     * of a {@code Row[]} that is not null. An array for few keys would be a cache miss more for who completes it. Guarded,
     * as the other two, by the request's own lock; see {@link WatchLists}.
     */
    @Nullable
    Object rows;

    @Nullable
    Row second;

    @Nullable
    Row third;

    /** The numbers of the places that it took in its rows, of which it remembers the last five: where to look first. */
    int lastPlaces;

    /** Watched nowhere. */
    protected Watched() {}
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

/**
 * What keeps threads apart from each other: which lanes a thread gives to the timeouts that it makes, some of its own,
 * each for a while; and where it begins to look for a place in a {@link Slots}. Confined to its thread.
 *
 * <p>Threads have numbers in sequence, so those of a pool have different lanes if there are enough.
 */
final class StripeTurns {
    private static final int LANES_SHIFT = 2;

    /** How many lanes a thread has. */
    static final int LANES = 1 << LANES_SHIFT;

    /** A turn lasts for 2^6 timeouts. */
    private static final int TURN_SHIFT = 6;

    /** Of what {@link #next} answers, the low bits are the lane, and the others the sequence. */
    private static final int LANE_BITS = 8;

    /** In a row each thread has 16 places that lie side by side, in a cache line or two, and takes them in turn. */
    private static final int OWN_PLACES_SHIFT = 4;

    private static final int THREADS_A_ROW = 1 << (Slots.PLACE_BITS - OWN_PLACES_SHIFT);

    private static final ThreadLocal<StripeTurns> OWN = ThreadLocal.withInitial(StripeTurns::new);

    private final int first = (int) Thread.currentThread().getId() << LANES_SHIFT;
    private int made;

    private StripeTurns() {}

    /** What one more timeout of the thread is to remember: see {@link #lane} and {@link #firstPlace}. */
    static short next() {
        StripeTurns own = OWN.get();
        int sequence = own.made++;
        int lane = own.first | ((sequence >> TURN_SHIFT) & (LANES - 1));
        return (short) ((sequence << LANE_BITS) | (lane & ((1 << LANE_BITS) - 1)));
    }

    /** The number of a lane, less than {@link WheelTimer#MAX_LANES}. */
    static int lane(short made) {
        return made & ((1 << LANE_BITS) - 1);
    }

    /** The number of the place that is to be looked at first, in a row of as many as there can be. */
    static int firstPlace(short made) {
        int thread = (made >> LANES_SHIFT) & (THREADS_A_ROW - 1);
        int turn = (made >> LANE_BITS) & ((1 << OWN_PLACES_SHIFT) - 1);
        return (thread << OWN_PLACES_SHIFT) | turn;
    }
}

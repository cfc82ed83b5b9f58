/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

/**
 * Keeps threads apart. It chooses a stripe of the timer for each timeout that its thread makes: the thread has some
 * stripes of its own and uses each for a while. It also chooses where the thread first looks for a slot in a watch
 * list. Confined to its thread.
 *
 * <p>Threads are numbered in sequence, so the threads of a pool have different stripes if there are enough stripes.
 */
final class StripeTurns {
    private static final int STRIPES_SHIFT = 2;

    /** The number of stripes that a thread has. */
    static final int STRIPES = 1 << STRIPES_SHIFT;

    /** A turn lasts for 2^6 timeouts. */
    private static final int TURN_SHIFT = 6;

    /** The low bits of an answer of {@link #next} are the stripe; the others are the sequence. */
    private static final int STRIPE_BITS = 8;

    /** The bits of a slot's number within its slot group. */
    static final int SLOT_BITS = 6;

    /** In a slot group each thread takes in turn 16 slots that lie side by side, in a cache line or two. */
    private static final int OWN_SLOTS_SHIFT = 4;

    static final int OWN_SLOTS = 1 << OWN_SLOTS_SHIFT;

    private static final int THREADS_PER_GROUP = 1 << (SLOT_BITS - OWN_SLOTS_SHIFT);

    private static final ThreadLocal<StripeTurns> OWN = ThreadLocal.withInitial(StripeTurns::new);

    private final int first = (int) Thread.currentThread().getId() << STRIPES_SHIFT;
    private int made;

    private StripeTurns() {}

    /** The numbers that a new timeout of this thread keeps: see {@link #stripe} and {@link #firstSlot}. */
    static short next() {
        StripeTurns own = OWN.get();
        int sequence = own.made++;
        int stripe = own.first | ((sequence >> TURN_SHIFT) & (STRIPES - 1));
        return (short) ((sequence << STRIPE_BITS) | (stripe & ((1 << STRIPE_BITS) - 1)));
    }

    /** The number of the stripe, less than {@link WheelTimer#MAX_STRIPES}. */
    static int stripe(short made) {
        return made & ((1 << STRIPE_BITS) - 1);
    }

    /** The number of the slot to try first, in a slot group of the largest size. */
    static int firstSlot(short made) {
        int thread = (made >> STRIPES_SHIFT) & (THREADS_PER_GROUP - 1);
        int turn = (made >> STRIPE_BITS) & ((1 << OWN_SLOTS_SHIFT) - 1);
        return (thread << OWN_SLOTS_SHIFT) | turn;
    }

    /** The number of the slot that was taken last, of several numbers in {@link Watched#lastSlots}. */
    static int lastSlot(int lastSlots) {
        return lastSlots & ((1 << SLOT_BITS) - 1);
    }
}

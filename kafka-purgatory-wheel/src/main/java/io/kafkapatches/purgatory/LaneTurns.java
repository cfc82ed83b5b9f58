/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.purgatory;

/**
 * Which lanes a thread gives to the timeouts that it makes: some of its own, each for a while. Confined to its thread.
 *
 * <p>Threads have numbers in sequence, so those of a pool have different lanes if there are enough.
 */
final class LaneTurns {
    private static final int LANES_SHIFT = 2;

    /** How many lanes a thread has. */
    static final int LANES = 1 << LANES_SHIFT;

    /** A turn lasts for 2^6 timeouts. */
    private static final int TURN_SHIFT = 6;

    private static final ThreadLocal<LaneTurns> OWN = ThreadLocal.withInitial(LaneTurns::new);

    private final int first = (int) Thread.currentThread().getId() << LANES_SHIFT;
    private int made;

    private LaneTurns() {}

    /** The number of a lane, of which the low bits count. */
    static short next() {
        LaneTurns own = OWN.get();
        return (short) (own.first | ((own.made++ >> TURN_SHIFT) & (LANES - 1)));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * The turns of one network thread's sends of old segments; used by that thread alone.
 *
 * <p>Many laggards that wait for the same bytes are all woken at once. If all of them sent in one poll of the selector,
 * the thread's other clients would have a turn only when these have sent some megabytes. So a few send in each poll,
 * and the others wait in line, without interest in writing. While somebody waits, only those at the head send.
 */
final class SendTurns {
    /** Each of them sends 128 KiB at most: half a MiB takes a network thread less than a millisecond. */
    static final int SENDS_IN_A_POLL = 4;

    private final Queue<SelectionKey> waiting = new ArrayDeque<>();
    private final Set<SelectionKey> atHead = new HashSet<>();
    private boolean isForHead;
    private int left;

    /**
     * The thread is about to poll.
     *
     * @param woken those that have waited for a disk
     * @return true when some still wait in line, so this poll should not wait
     */
    boolean begin(List<SelectionKey> woken) {
        waiting.addAll(woken);
        isForHead = !waiting.isEmpty();
        left = SENDS_IN_A_POLL;
        atHead.clear();
        while (atHead.size() < SENDS_IN_A_POLL && !waiting.isEmpty()) {
            SelectionKey next = waiting.remove();
            if (next.isValid()) { // only this thread closes its connections
                next.interestOpsOr(SelectionKey.OP_WRITE);
                atHead.add(next);
            }
        }
        return !waiting.isEmpty();
    }

    /** Whether it may send now, once; else it waits in line, and is to be put aside. */
    boolean isDue(SelectionKey key) {
        boolean isDue = isForHead ? atHead.remove(key) : left-- > 0;
        if (!isDue) {
            waiting.add(key);
        }
        return isDue;
    }
}

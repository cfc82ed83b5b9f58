/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import java.nio.channels.SelectionKey;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The turns of one network thread's sends of old segments; used by that thread alone.
 *
 * <p>Many laggards that wait for the same bytes are all woken at once. If all of them sent in one poll of the selector,
 * the thread's other clients would have a turn only when these have sent some megabytes. So one sends in each poll, and
 * the others wait in line, without interest in writing. While somebody waits, only the one at the head sends. It sends
 * 128 KiB at most, which takes a network thread some 0.1 ms.
 */
final class SendTurns {
    private final Queue<SelectionKey> waiting = new ArrayDeque<>();
    private @Nullable SelectionKey head;
    private boolean isTaken;

    /**
     * The thread is about to poll.
     *
     * @param woken those that have waited for a disk
     * @return true when some still wait in line, so this poll should not wait
     */
    boolean begin(List<SelectionKey> woken) {
        waiting.addAll(woken);
        isTaken = false;
        head = null;
        while (head == null && !waiting.isEmpty()) {
            SelectionKey next = waiting.remove();
            if (next.isValid()) { // only this thread closes its connections
                next.interestOpsOr(SelectionKey.OP_WRITE);
                head = next;
            }
        }
        return !waiting.isEmpty();
    }

    /** Whether it may send now, once; else it waits in line, and is to be put aside. */
    boolean isDue(SelectionKey key) {
        boolean isDue = !isTaken && (head == null || key.equals(head));
        if (isDue) {
            isTaken = true;
        } else {
            waiting.add(key);
        }
        return isDue;
    }
}

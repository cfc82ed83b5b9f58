/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The connections whose responses wait for bytes from a disk. Thread safe; the network thread that owns a connection
 * puts its send aside and takes it up again, any thread may wake it.
 *
 * <p>A connection that waits has no interest in writing. Kafka's network threads change a key's interest by reading and
 * setting it, so another thread's change could get lost, and with it the connection. Therefore who wakes a send only
 * notes its key, and the network thread changes it at its next turn.
 */
final class WaitingSends {
    private final ConcurrentHashMap<Selector, List<SelectionKey>> woken = new ConcurrentHashMap<>();
    private final ThreadLocal<SendTurns> turns = ThreadLocal.withInitial(SendTurns::new);

    /** The network thread turns to its other connections until {@link #wake}, or until it is this one's turn. */
    void putAside(SelectionKey key) {
        key.interestOpsAnd(~SelectionKey.OP_WRITE);
    }

    /** The send is worth another try; does nothing when the connection is closed. */
    void wake(SelectionKey key) {
        Selector selector = key.selector();
        if (key.isValid() && selector.isOpen()) {
            woken.compute(selector, (any, keys) -> {
                List<SelectionKey> all = keys == null ? new ArrayList<>() : keys;
                all.add(key);
                return all;
            });
            selector.wakeup();
        }
    }

    /** The network thread of this selector is about to wait for its connections. */
    void takeUp(Selector selector) {
        List<SelectionKey> keys = woken.remove(selector);
        if (turns.get().begin(keys == null ? List.of() : keys)) {
            selector.wakeup();
        }
    }

    /** Whether the network thread may send this now; else it puts it aside, until others have had their turn. */
    boolean isDue(SelectionKey key) {
        return turns.get().isDue(key);
    }
}

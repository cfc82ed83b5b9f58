/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Queue;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps request handlers free for those who do not need an HDD: only half of them serve consumers that do, at a time.
 * Thread safe.
 *
 * <p>A handler waits for the disk while it looks for the position of a fetch. A consumer whose last fetch made one wait
 * is <i>cold</i> until a fetch of it does not. While enough handlers serve cold consumers, further fetches of such are
 * held, first come, first served.
 */
final class ColdFetches {
    /** A fetch, and what puts it into Kafka's queue of requests. */
    record Held(Object request, Runnable enqueue) {}

    private static final int MOST_CONNECTIONS = 10_000;

    private final int most;
    private final Consumer<Runnable> later;
    private final Set<String> coldConnections = new HashSet<>();
    private final Set<Object> serving = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Queue<Held> held = new ArrayDeque<>();
    /** No connection is cold: nothing else is asked then. */
    private volatile boolean isIdle = true;

    /**
     * @param handlers the number of request handlers; with a single one, no fetch is held
     * @param later runs what may have to wait until Kafka's queue of requests has room; request handlers, which empty
     *     it, must not wait for that
     */
    ColdFetches(int handlers, Consumer<Runnable> later) {
        this.most = handlers / 2;
        this.later = later;
    }

    /**
     * A fetch has come in.
     *
     * @return true when it is held: {@code enqueue} runs later
     */
    boolean holds(String connection, Object request, Runnable enqueue) {
        return !isIdle && most > 0 && mayHold(connection, request, enqueue);
    }

    private synchronized boolean mayHold(String connection, Object request, Runnable enqueue) {
        if (!coldConnections.contains(connection) || serving.contains(request)) {
            return false;
        }
        if (serving.size() < most) {
            serving.add(request);
            return false;
        }
        held.add(new Held(request, enqueue));
        return true;
    }

    /** A handler has served a fetch; {@code waited} for an HDD, or not. Queues the next one that is held. */
    void served(String connection, Object request, boolean waited) {
        if (isIdle && !waited) {
            return;
        }
        Held next = next(connection, request, waited);
        if (next != null) {
            later.accept(next.enqueue());
        }
    }

    private synchronized @Nullable Held next(String connection, Object request, boolean waited) {
        if (waited) {
            if (coldConnections.size() >= MOST_CONNECTIONS) {
                coldConnections.clear(); // many are closed by now; the others come back
            }
            coldConnections.add(connection);
        } else {
            coldConnections.remove(connection);
        }
        Held next = serving.remove(request) ? held.poll() : null;
        if (next != null) {
            serving.add(next.request());
        }
        isIdle = coldConnections.isEmpty() && serving.isEmpty();
        return next;
    }

    /** Nobody is cold: a fetch need not be looked at. */
    boolean isIdle() {
        return isIdle;
    }

    /** The fetches that are held now. */
    synchronized int heldNow() {
        return held.size();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps request handlers free for those who do not need an HDD: only half of them serve consumers that do, at a time.
 * Thread safe.
 *
 * <p>A handler may wait for the disk while it looks for the position of a fetch. A consumer is <i>cold</i> while a
 * fetch of it has looked on an HDD within the last seconds, wherever its bytes were then: many that read the same data
 * find it in memory for a while, and then all miss the next bytes at once. Nobody knows whether one is that has just
 * connected, or has not fetched for that long, so such a fetch counts as cold: else many that connect at once, or that
 * are slow, would take all handlers. So does each lookup of timestamps. While enough handlers serve cold consumers,
 * further fetches of such are held, first come, first served.
 */
public final class ColdFetches {
    /** A fetch, and what puts it into Kafka's queue of requests. */
    private record Held(Object request, Runnable enqueue) {}

    /** So long is a consumer cold at least, and not twice as long. */
    static final long COLD_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final int most;
    private final Consumer<Runnable> later;
    /** When each of them last needed an HDD. */
    private final Map<String, Long> coldConnections = new HashMap<>();

    private long forgotAtNanos;
    private final Set<Object> serving = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Queue<Held> held = new ArrayDeque<>();
    /** No connection is cold, and nothing unknown is served: nothing else is asked then. */
    private volatile boolean isIdle = true;

    /**
     * @param handlers the number of request handlers; with a single one, no fetch is held
     * @param later runs what may have to wait until Kafka's queue of requests has room; request handlers, which empty
     *     it, must not wait for that
     */
    public ColdFetches(int handlers, Consumer<Runnable> later) {
        this.most = handlers / 2;
        this.later = later;
    }

    /**
     * A handler is about to serve a fetch. When this returns false, {@link #served} must follow.
     *
     * @param isUnknown nobody knows whether it needs an HDD: {@link ColdClients#fetches} says so, or it is a lookup of
     *     timestamps
     * @return true when it is held: {@code enqueue} runs later
     */
    public boolean holds(String connection, Object request, boolean isUnknown, Runnable enqueue) {
        return (isUnknown || !isIdle) && most > 0 && mayHold(connection, request, isUnknown, enqueue);
    }

    private synchronized boolean mayHold(String connection, Object request, boolean isUnknown, Runnable enqueue) {
        if (!(isUnknown || coldConnections.containsKey(connection)) || serving.contains(request)) {
            return false;
        }
        if (serving.size() < most) {
            serving.add(request);
            isIdle = false;
            return false;
        }
        held.add(new Held(request, enqueue));
        return true;
    }

    /** A handler has served a fetch, and needed an HDD or not. Queues the next one that is held. */
    public void served(String connection, Object request, boolean neededHdd, long nowNanos) {
        if (isIdle && !neededHdd) {
            return;
        }
        Held next = next(connection, request, neededHdd, nowNanos);
        if (next != null) {
            later.accept(() -> enqueue(next));
        }
    }

    private synchronized @Nullable Held next(String connection, Object request, boolean neededHdd, long nowNanos) {
        if (neededHdd) {
            forgotAtNanos = coldConnections.isEmpty() ? nowNanos : forgotAtNanos;
            coldConnections.put(connection, nowNanos);
        }
        if (nowNanos - forgotAtNanos > COLD_NANOS) {
            forgotAtNanos = nowNanos;
            coldConnections.values().removeIf(neededNanos -> nowNanos - neededNanos > COLD_NANOS);
        }
        return next(request);
    }

    /** Kafka's queue may refuse it, as the broker shuts down; then the one behind it has its place. */
    private void enqueue(Held fetch) {
        boolean isQueued = false;
        try {
            fetch.enqueue().run();
            isQueued = true;
        } finally {
            Held next = isQueued ? null : next(fetch.request());
            if (next != null) {
                later.accept(() -> enqueue(next));
            }
        }
    }

    private synchronized @Nullable Held next(Object served) {
        Held next = serving.remove(served) ? held.poll() : null;
        if (next != null) {
            serving.add(next.request());
        }
        isIdle = coldConnections.isEmpty() && serving.isEmpty();
        return next;
    }

    /** Nobody is cold: a fetch need not be looked at, unless it is unknown. */
    public boolean isIdle() {
        return isIdle;
    }

    /** The fetches that are held now. */
    synchronized int heldNow() {
        return held.size();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests that wait under keys: the part of a request purgatory that is not about time.
 *
 * <p>A completed request leaves the lists of all its keys at once, in a number of steps that does not grow with the
 * number of waiting requests. Nothing is left behind, so nothing needs to be purged.
 *
 * <h2>What a request must do</h2>
 *
 * <ul>
 *   <li>A thread holds it from its first try, through {@link #watch}, to the end of its second try. A trigger that the
 *       second try does not see comes after {@code watch}, so it finds the request (W1). And no other thread can
 *       complete the request in between and wait for a lock that the watching thread needs, which is the deadlock that
 *       Kafka describes at {@code tryCompleteElseWatch}.
 *   <li>A thread that completes it finishes it first, then calls {@link #leave}, then does all other work. So a
 *       completed request is in no list, not even if it completes while it is being watched (W2).
 * </ul>
 *
 * Thread safe.
 *
 * @param <K> the keys, equal by {@link Object#equals}
 * @param <R> the requests
 */
public final class WatchLists<K, R extends Watched> {
    /*
     * W1  A plain store may change the condition that a request waits for. A thread that checks a key makes this store
     *     first and then loads the requests; a thread that watches stores the request first and then loads the
     *     condition. Both need a fence in between: without it each may miss the other, even on x86. Stock relies on
     *     the lock of its lists instead. A request that is still being watched is skipped by the thread that checks:
     *     the end of the watch is stored before the fence as well, so the second try sees the condition.
     * W3  A closed list takes no request, and never opens again. A thread that finds one removes it from the map and
     *     continues with the key's next list.
     * W4  At most maxIdle lists without requests stay in the map, for the next request under their keys: a list that
     *     becomes empty stays only if there are no more than maxIdle lists in total.
     */
    private static final int MAX_IDLE = 8192;

    /** A request with at most this many keys needs no array for its slot groups. */
    private static final int FEW = 3;

    private static final int SLOTS_PER_GROUP = 64;

    private final Predicate<? super R> attempt;
    private final int maxIdle;
    private final int slotsPerGroup;
    private final ConcurrentHashMap<K, WatchList<K>> byKey = new ConcurrentHashMap<>();

    /**
     * Begins without requests.
     *
     * @param attempt tries to complete a request, unless it is finished already; true if this call has completed it. No
     *     lock of the lists is held meanwhile, so the attempt may itself watch, check and complete.
     */
    public WatchLists(Predicate<? super R> attempt) {
        this(attempt, MAX_IDLE, SLOTS_PER_GROUP);
    }

    /**
     * @param maxIdle how many empty lists may stay
     * @param slotsPerGroup the size of each slot group but the first of a list
     */
    WatchLists(Predicate<? super R> attempt, int maxIdle, int slotsPerGroup) {
        this.attempt = attempt;
        this.maxIdle = maxIdle;
        this.slotsPerGroup = slotsPerGroup;
    }

    /**
     * Watches a request under keys, until it completes. The caller holds the request, unless it is finished. A finished
     * request is added under no further key. A key that is given twice watches the request twice.
     */
    public void watch(R request, List<? extends K> keys) {
        request.isBeingWatched = true;
        try {
            if (request.groups == null && keys.size() <= FEW) {
                watchFew(request, keys);
            } else {
                watchMany(request, keys);
            }
        } finally {
            request.isBeingWatched = false;
            VarHandle.fullFence(); // W1
        }
    }

    private void watchFew(R request, List<? extends K> keys) {
        int count = 0;
        for (K key : keys) {
            Slots slots = put(request, key);
            if (slots == null) {
                return;
            }
            switch (count++) {
                case 0 -> request.groups = slots;
                case 1 -> request.second = slots;
                default -> request.third = slots;
            }
        }
    }

    private void watchMany(R request, List<? extends K> keys) {
        ManySlots slots = ManySlots.of(request, keys.size());
        request.groups = slots;
        request.second = null;
        request.third = null;
        for (K key : keys) {
            Slots group = put(request, key);
            if (group == null) {
                return;
            }
            slots.add(group, StripeTurns.lastSlot(request.lastSlots));
        }
    }

    /** Adds a request under a key. Null if it was not added, because it is finished. */
    private @Nullable Slots put(R request, K key) {
        for (; ; ) {
            WatchList<K> list = listOf(key);
            // The key's own code, which may do anything, has run before this check.
            if (request.isFinished()) {
                if (areMany()) {
                    drop(list);
                }
                return null;
            }
            Slots slots = list.put(request);
            if (slots != null) {
                return slots;
            }
            byKey.remove(key, list);
        }
    }

    private WatchList<K> listOf(K key) {
        WatchList<K> list = byKey.get(key);
        if (list == null) {
            WatchList<K> added = new WatchList<>(this, key, slotsPerGroup);
            list = byKey.putIfAbsent(key, added);
            return list == null ? added : list;
        }
        return list;
    }

    /** Removes a request from all lists. The caller has finished it. */
    public static void leave(Watched request) {
        Object groups = request.groups;
        request.groups = null;
        if (groups instanceof Slots first) {
            leave(request, first, request.second, request.third);
        } else if (groups != null) {
            ((ManySlots) groups).leave(request);
        }
    }

    private static void leave(Watched request, Slots first, @Nullable Slots second, @Nullable Slots third) {
        request.second = null;
        request.third = null;
        int slots = request.lastSlots;
        if (third != null) {
            third.leave(request, StripeTurns.lastSlot(slots));
            slots >>>= StripeTurns.SLOT_BITS;
        }
        if (second != null) {
            second.leave(request, StripeTurns.lastSlot(slots));
            slots >>>= StripeTurns.SLOT_BITS;
        }
        first.leave(request, StripeTurns.lastSlot(slots));
    }

    /**
     * Tries to complete each request under a key.
     *
     * @return how many requests this call has completed
     */
    public int checkAndComplete(K key) {
        VarHandle.fullFence(); // W1
        WatchList<K> list = byKey.get(key);
        return list == null ? 0 : list.<R>complete(attempt);
    }

    /** Removes all requests from a key, without completing them: they stay under their other keys. */
    public List<R> cancelForKey(K key) {
        WatchList<K> list = byKey.get(key);
        if (list == null) {
            return List.of();
        }
        List<R> requests = list.drain();
        byKey.remove(key, list);
        return requests;
    }

    /**
     * The number of waiting requests, each counted once for each of its keys. Exact while no request is added or
     * removed. This call counts, and its cost grows with the number of lists, so that adding and removing need not.
     */
    public int watched() {
        int watched = 0;
        for (WatchList<K> list : byKey.values()) {
            watched += list.size();
        }
        return watched;
    }

    boolean areMany() {
        return byKey.mappingCount() > maxIdle;
    }

    /** Drops a list unless it holds a request. */
    void drop(WatchList<K> list) {
        if (list.closeIfEmpty()) {
            byKey.remove(list.key, list);
        }
    }

    int listCount() {
        return byKey.size();
    }

    int groupCount() {
        int groups = 0;
        for (WatchList<K> list : byKey.values()) {
            groups += list.groupCount();
        }
        return groups;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who waits under which key: the part of a request purgatory that is not about time.
 *
 * <p>A request that completes leaves all its keys at once, in steps that do not grow with the number of those who wait
 * under them. Nothing is left behind, so nothing needs to be purged.
 *
 * <h2>What a request must do</h2>
 *
 * <ul>
 *   <li>It is held from its first try, through {@link #watch}, to the end of its second try. A trigger that the second
 *       try does not see comes after {@code watch}, so it finds the request (W1); and nobody can complete the request
 *       in between and wait for a lock that the watching thread needs, which is the deadlock that Kafka tells of at
 *       {@code tryCompleteElseWatch}.
 *   <li>Who completes it finishes it first, then calls {@link #leave}, then does all else. So it is watched nowhere
 *       once it is completed, not even if it completes while it is being watched (W2).
 * </ul>
 *
 * Thread safe.
 *
 * @param <K> the keys, equal by {@link Object#equals}
 * @param <R> the requests
 */
public final class WatchLists<K, R extends Watched> {
    /*
     * W1  What a request waits for may be changed by a plain store. Who looks at a key stores that first and then loads who is
     *     there; who watches stores the request first and then loads what it waits for. Both need a fence in between: without
     *     it each may miss the other, on x86, too. In stock it is the lock of the lists.
     * W3  A closed list takes nobody, and never opens again. Who comes upon one removes it from the map and goes on
     *     with the key's next one.
     * W4  At most maxIdle lists without requests stay in the map, for whoever comes next under their keys: a list that
     *     has become empty stays only if there are no more lists than that in all.
     */
    private static final int MAX_IDLE = 8192;

    /** Under so many keys a request needs no array for its rows. */
    private static final int FEW = 3;

    private static final int PLACES = 64;
    private static final Slots[] NO_ROWS = {};

    private final Predicate<? super R> attempt;
    private final int maxIdle;
    private final int places;
    private final ConcurrentHashMap<K, WatchList<K>> byKey = new ConcurrentHashMap<>();

    /**
     * Nobody waits yet.
     *
     * @param attempt tries to complete a request that waits, unless it is finished already; true if this very call has
     *     completed it. Called without any lock of the lists, so that it may watch, check and complete in turn.
     */
    public WatchLists(Predicate<? super R> attempt) {
        this(attempt, MAX_IDLE, PLACES);
    }

    /** With so many lists at most that are empty, and so many places in a row of a list. */
    WatchLists(Predicate<? super R> attempt, int maxIdle, int places) {
        this.attempt = attempt;
        this.maxIdle = maxIdle;
        this.places = places;
    }

    /**
     * Watches a request under keys, until it completes. The caller holds the request, unless it is finished. No more
     * keys are added once it is. Under a key that is named twice it is watched twice.
     */
    public void watch(R request, List<? extends K> keys) {
        if (request.rows == null && keys.size() <= FEW) {
            watchFew(request, keys);
        } else {
            watchMany(request, keys);
        }
        VarHandle.fullFence(); // W1
    }

    private void watchFew(R request, List<? extends K> keys) {
        int count = 0;
        for (K key : keys) {
            Slots row = put(request, key);
            if (row == null) {
                return;
            }
            switch (count++) {
                case 0 -> request.rows = row;
                case 1 -> request.second = row;
                default -> request.third = row;
            }
        }
    }

    private void watchMany(R request, List<? extends K> keys) {
        Slots[] had = rowsOf(request);
        Slots[] rows = Arrays.copyOf(had, had.length + keys.size());
        request.rows = rows;
        request.second = null;
        request.third = null;
        int count = had.length;
        for (K key : keys) {
            Slots row = put(request, key);
            if (row == null) {
                return;
            }
            rows[count++] = row;
        }
    }

    /** Null if the request is finished, and was not put. */
    private @Nullable Slots put(R request, K key) {
        for (; ; ) {
            WatchList<K> list = listOf(key);
            // After the key's own code was called, which may do anything.
            if (request.isFinished()) {
                if (areMany()) {
                    drop(list);
                }
                return null;
            }
            Slots row = list.put(request);
            if (row != null) {
                return row;
            }
            byKey.remove(key, list);
        }
    }

    private WatchList<K> listOf(K key) {
        WatchList<K> list = byKey.get(key);
        if (list == null) {
            WatchList<K> added = new WatchList<>(this, key, places);
            list = byKey.putIfAbsent(key, added);
            return list == null ? added : list;
        }
        return list;
    }

    /** Takes a request out of all lists, wherever it is watched, if anywhere. The caller has finished it. */
    public static void leave(Watched request) {
        Object rows = request.rows;
        request.rows = null;
        if (rows instanceof Slots first) {
            leave(request, first, request.second, request.third);
        } else if (rows != null) {
            leave(request, (Slots[]) rows);
        }
    }

    private static void leave(Watched request, Slots first, @Nullable Slots second, @Nullable Slots third) {
        request.second = null;
        request.third = null;
        int inThird = request.lastPlaces;
        int inSecond = third == null ? inThird : inThird >>> Slots.PLACE_BITS;
        int inFirst = second == null ? inSecond : inSecond >>> Slots.PLACE_BITS;
        first.leave(request, inFirst);
        if (second != null) {
            second.leave(request, inSecond);
        }
        if (third != null) {
            third.leave(request, inThird);
        }
    }

    private static void leave(Watched request, Slots[] rows) {
        int lastPlaces = areThere(request, rows) ? request.lastPlaces : 0;
        for (int i = rows.length - 1; i >= 0; i--) {
            if (rows[i] != null) {
                rows[i].leave(request, lastPlaces);
            }
            lastPlaces >>>= Slots.PLACE_BITS;
        }
    }

    /**
     * Whether a request is where it was put. Looking at all rows before it leaves the first of them has a processor
     * fetch them at the same time: a compare and set has to wait for its own, and all that comes after it waits, too.
     */
    private static boolean areThere(Watched request, Slots[] rows) {
        int lastPlaces = request.lastPlaces;
        boolean areThere = true;
        for (int i = rows.length - 1; i >= 0; i--) {
            areThere &= rows[i] != null && rows[i].holds(request, lastPlaces);
            lastPlaces >>>= Slots.PLACE_BITS;
        }
        return areThere;
    }

    /**
     * Lets all who wait under a key try to complete.
     *
     * @return how many were completed by this very call
     */
    public int checkAndComplete(K key) {
        VarHandle.fullFence(); // W1
        WatchList<K> list = byKey.get(key);
        return list == null ? 0 : list.<R>complete(attempt);
    }

    /** Takes all away from under a key, without completing them: they stay under their other keys. */
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
     * How many wait, each counted once for each of its keys. Exact while nobody comes or goes. It counts, in steps that
     * grow with the number of lists, so that nobody who comes or goes has to.
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

    /** Drops a list unless somebody has come to it. */
    void drop(WatchList<K> list) {
        if (list.closeIfEmpty()) {
            byKey.remove(list.key, list);
        }
    }

    int listCount() {
        return byKey.size();
    }

    int rowCount() {
        int rows = 0;
        for (WatchList<K> list : byKey.values()) {
            rows += list.rowCount();
        }
        return rows;
    }

    private static Slots[] rowsOf(Watched request) {
        if (request.rows == null) {
            return NO_ROWS;
        }
        if (request.rows instanceof Slots[] rows) {
            return rows;
        }
        return Stream.of((Slots) request.rows, request.second, request.third)
                .filter(Objects::nonNull)
                .toArray(Slots[]::new);
    }
}

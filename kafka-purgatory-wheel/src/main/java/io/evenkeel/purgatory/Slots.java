/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A few places of a {@link WatchList}, used in turn, so that who has waited longest is asked first.
 *
 * <p>Where threads meet, they would write to the same cache lines all the time. There each begins at places of its own
 * and goes round these, and who has come first counts between rows only.
 *
 * <p>Who comes, leaves or looks is thread safe, and takes no lock; the row is closed under the list's monitor.
 */
final class Slots {
    /*
     * R1  A place is empty (null), or holds a request, or is closed. It changes by compare and set only: a request comes
     *     to an empty one, leaves the one that still holds it, and is taken out of it by closing. So of those who want a
     *     request out one gets it, and nobody empties a place of somebody else.
     * R2  A place is closed for ever, but for one case: while a row is closed that turns out not to be empty, places are
     *     closed for a moment. Who comes and sees that waits at the list's monitor until they are not; who leaves sees
     *     nobody in them.
     */
    private static final Watched CLOSED = new Watched() {};

    /** Of the number of a place, as {@link Watched#lastPlaces} has it. */
    static final int PLACE_BITS = 6;

    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;
    private static final VarHandle PLACE = MethodHandles.arrayElementVarHandle(Watched[].class);

    final WatchList<?> list;

    /** Where in the list's chain it is. Guarded by the list's monitor. */
    int index;

    /** Whether each thread has places of its own. */
    private final boolean isShared;

    private final @Nullable Watched[] places;

    /**
     * Where to look first, unless it is shared: the place after the one that was taken last. A hint, which races may
     * set back.
     */
    private int next;

    Slots(WatchList<?> list, int size, boolean isShared) {
        this.list = list;
        this.isShared = isShared;
        this.places = new Watched[size];
    }

    /** False if there is no empty place, or if threads have met and another row is to be opened, for them to share. */
    boolean put(Watched request) {
        int i = isShared ? request.firstPlace() & (Integer.highestOneBit(places.length) - 1) : next;
        for (int left = places.length; left > 0; left--) {
            if (at(i) == null) {
                if (PLACE.compareAndSet(places, i, null, request)) {
                    taken(request, i);
                    return true;
                } else if (!isShared) {
                    list.share();
                    return false;
                }
            }
            i = after(i);
        }
        return false;
    }

    private void taken(Watched request, int place) {
        request.lastPlaces = request.lastPlaces << PLACE_BITS | place;
        if (!isShared) {
            next = after(place);
        }
    }

    /** Whether a request is in a place, the number of which is in the lowest bits. */
    boolean holds(Watched request, int lastPlaces) {
        int i = lastPlaces & PLACE_MASK;
        return i < places.length && at(i) == request;
    }

    /**
     * Takes a request out, if it is still in, and from one place only.
     *
     * @param lastPlaces has in its lowest bits where to look first
     */
    void leave(Watched request, int lastPlaces) {
        int i = lastPlaces & PLACE_MASK;
        for (int left = places.length; left > 0; left--) {
            i = i < places.length ? i : 0;
            if (at(i) == request && PLACE.compareAndSet(places, i, request, null)) {
                list.left(this, i);
                return;
            }
            i++;
        }
    }

    /** How many of those in it were completed by being asked now. */
    @SuppressWarnings("unchecked") // all requests of a list are of its own type
    <R extends Watched> int complete(Predicate<? super R> attempt) {
        int completed = 0;
        int i = next;
        for (int left = places.length; left > 0; left--) {
            Watched watched = at(i);
            if (watched != null && watched != CLOSED) {
                completed += attempt.test((R) watched) ? 1 : 0;
            }
            i = after(i);
        }
        return completed;
    }

    /** Whether nobody is in it, closed or not. */
    boolean isEmpty() {
        return isEmptyFrom(0);
    }

    /** As {@link #isEmpty}; looks first at what is near a place that is in the processor's cache already. */
    boolean isEmptyFrom(int place) {
        int i = place;
        for (int left = places.length; left > 0; left--) {
            Watched watched = at(i);
            if (watched != null && watched != CLOSED) {
                return false;
            }
            i = after(i);
        }
        return true;
    }

    /** How many are in it. */
    int size() {
        int size = 0;
        for (int i = 0; i < places.length; i++) {
            Watched watched = at(i);
            size += watched != null && watched != CLOSED ? 1 : 0;
        }
        return size;
    }

    /** Under the list's monitor. */
    boolean isClosed() {
        return at(0) == CLOSED;
    }

    /** Under the list's monitor. */
    boolean closeIfEmpty() {
        for (int i = 0; i < places.length; i++) {
            if (!PLACE.compareAndSet(places, i, null, CLOSED)) {
                while (--i >= 0) {
                    PLACE.setVolatile(places, i, null);
                }
                return false;
            }
        }
        return true;
    }

    /** Closes it and takes all out. Under the list's monitor. */
    @SuppressWarnings("unchecked") // as above
    <R> void drainTo(List<? super R> requests) {
        for (int i = 0; i < places.length; i++) {
            Object watched = PLACE.getAndSet(places, i, CLOSED);
            if (watched != null) {
                requests.add((R) watched);
            }
        }
    }

    private int after(int i) {
        return i + 1 == places.length ? 0 : i + 1;
    }

    private @Nullable Watched at(int i) {
        return (Watched) PLACE.getVolatile(places, i);
    }
}

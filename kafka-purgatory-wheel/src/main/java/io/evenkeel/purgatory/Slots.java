/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A slot group: a few slots of a {@link WatchList}, used in turn, so that the list tries the oldest request first.
 *
 * <p>Where several threads add requests at the same time, they would write to the same cache lines all the time. There
 * each thread goes round slots of its own, and requests are in order between slot groups only.
 *
 * <p>Adding, removing and reading requests is thread safe and takes no lock. The list's monitor guards closing.
 */
final class Slots {
    /*
     * R1  A slot is empty (null), or holds a request, or is closed. It changes by compare and set only: a request
     *     enters an empty slot, leaves the slot that still holds it, or is removed by closing. So when several threads
     *     remove one request, exactly one succeeds, and no thread empties a slot that holds another request.
     * R2  A closed slot stays closed, with one exception: closing a slot group that turns out not to be empty closes
     *     some slots for a moment. A thread that wants to add and sees that waits at the list's monitor until they are
     *     open again; a thread that removes a request sees these slots as empty.
     */
    private static final Watched CLOSED = new Watched() {};

    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Watched[].class);

    final WatchList<?> list;

    /** Where in the list's chain it is. Guarded by the list's monitor. */
    int inChain;

    /** Whether each thread uses slots of its own. */
    private final boolean isShared;

    private final int size;

    /** Shared slots have gaps between those of one thread and the next: see {@link #index}. */
    private final @Nullable Watched[] slots;

    /**
     * Where to look first, unless the group is shared: the slot after the one that was taken last. A hint; a race may
     * set it back.
     */
    private int next;

    Slots(WatchList<?> list, int size, boolean isShared) {
        this.list = list;
        this.isShared = isShared;
        this.size = size;
        this.slots = new Watched[index(size - 1) + 1];
    }

    /**
     * Adds a request.
     *
     * @return false if no slot is empty, or if two threads wanted the same slot: the list then opens a shared slot
     *     group
     */
    boolean put(Watched request) {
        int i = isShared ? request.firstSlot & (Integer.highestOneBit(size) - 1) : next;
        for (int left = size; left > 0; left--) {
            if (at(i) == null) {
                if (SLOT.compareAndSet(slots, index(i), null, request)) {
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

    private void taken(Watched request, int slot) {
        request.lastSlots = request.lastSlots << StripeTurns.SLOT_BITS | slot;
        if (!isShared) {
            next = after(slot);
        }
    }

    /** Whether a request is still in the slot that it took. */
    boolean holds(Watched request, int slot) {
        return at(slot) == request;
    }

    /** Removes a request from the slot that it took, if it is still there. */
    void leave(Watched request, int slot) {
        if (SLOT.compareAndSet(slots, index(slot), request, null)) {
            list.left(this, slot);
        }
    }

    /** Tries to complete each request, and answers how many this call has completed. */
    @SuppressWarnings("unchecked") // a list holds requests of its own type only
    <R extends Watched> int complete(Predicate<? super R> attempt) {
        int completed = 0;
        int i = next;
        for (int left = size; left > 0; left--) {
            Watched watched = at(i);
            if (watched != null && watched != CLOSED && !watched.isBeingWatched) {
                completed += attempt.test((R) watched) ? 1 : 0;
            }
            i = after(i);
        }
        return completed;
    }

    /** Whether it holds no request, closed or not. */
    boolean isEmpty() {
        return isEmptyFrom(0);
    }

    /** As {@link #isEmpty}, but looks first near a slot that is in the processor's cache already. */
    boolean isEmptyFrom(int slot) {
        int i = slot;
        for (int left = size; left > 0; left--) {
            Watched watched = at(i);
            if (watched != null && watched != CLOSED) {
                return false;
            }
            i = after(i);
        }
        return true;
    }

    /** The number of requests in it. */
    int size() {
        int taken = 0;
        for (int i = 0; i < size; i++) {
            Watched watched = at(i);
            taken += watched != null && watched != CLOSED ? 1 : 0;
        }
        return taken;
    }

    /** Under the list's monitor. */
    boolean isClosed() {
        return at(0) == CLOSED;
    }

    /** Under the list's monitor. */
    boolean closeIfEmpty() {
        for (int i = 0; i < size; i++) {
            if (!SLOT.compareAndSet(slots, index(i), null, CLOSED)) {
                while (--i >= 0) {
                    SLOT.setVolatile(slots, index(i), null);
                }
                return false;
            }
        }
        return true;
    }

    /** Closes it and removes all requests. Under the list's monitor. */
    @SuppressWarnings("unchecked") // as above
    <R> void drainTo(List<? super R> requests) {
        for (int i = 0; i < size; i++) {
            Object watched = SLOT.getAndSet(slots, index(i), CLOSED);
            if (watched != null) {
                requests.add((R) watched);
            }
        }
    }

    private int after(int i) {
        return i + 1 == size ? 0 : i + 1;
    }

    private @Nullable Watched at(int i) {
        return (Watched) SLOT.getVolatile(slots, index(i));
    }

    /** A gap as long as the slots of a thread keeps these off the cache lines of others, and of the array's length. */
    private int index(int slot) {
        return isShared ? slot + (slot & -StripeTurns.OWN_SLOTS) + StripeTurns.OWN_SLOTS : slot;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The requests under one key, roughly in order of arrival: a chain of slot groups ({@link Slots}), the last of which is
 * open for new requests.
 *
 * <p>Thread safe. Adding, removing and reading requests takes no lock. The monitor guards the chain only; no code of
 * others is called under it.
 */
final class WatchList<K> {
    /*
     * L1  Slot groups are added and closed under the monitor. A slot group is closed while it is empty and dropped
     *     then, so no request is lost with it.
     * L2  The open slot group is closed only with the list, and then all slot groups are. So a thread that finds the
     *     open slot group closed has found a closed list.
     * L3  While no thread works on the list, every slot group but the open one holds a request. The thread that
     *     removes the last request of a slot group checks afterwards whether that group is the open one; the thread
     *     that opens another slot group checks afterwards whether the former one is empty.
     * L4  A thread that reads a chain sees all slot groups that were in it at the begin and are not dropped: a slot
     *     group never moves within an array, only to another array. Requests that are added later need not be seen
     *     (W1).
     */
    private static final int FIRST_SLOTS = 4;

    private static final int FIRST_GROUPS = 2;
    private static final VarHandle GROUP = MethodHandles.arrayElementVarHandle(Slots[].class);

    final K key;
    private final WatchLists<K, ?> lists;
    private final int slotsPerGroup;

    /** Has gaps where slot groups were dropped, and free elements at the end. */
    private volatile @Nullable Slots[] chain = new Slots[FIRST_GROUPS];

    private volatile Slots open;

    private volatile boolean isShared;

    @GuardedBy("this")
    private int used;

    @GuardedBy("this")
    private int groups;

    WatchList(WatchLists<K, ?> lists, K key, int slotsPerGroup) {
        this.lists = lists;
        this.key = key;
        this.slotsPerGroup = slotsPerGroup;
        this.open = new Slots(this, Math.min(FIRST_SLOTS, slotsPerGroup), false);
        synchronized (this) {
            append(open);
        }
    }

    /** Adds a request and answers its slot group; null if the list is closed. */
    @Nullable
    Slots put(Watched request) {
        for (Slots slots = open; slots != null; slots = openAfter(slots)) {
            if (slots.put(request)) {
                return slots;
            }
        }
        return null;
    }

    /** The open slot group after one that was full, or where two threads met; null if the list is closed. */
    synchronized @Nullable Slots openAfter(Slots full) {
        if (open != full) {
            return open;
        }
        if (full.isClosed()) {
            return null;
        }
        Slots added = new Slots(this, slotsPerGroup, isShared);
        append(added);
        open = added;
        dropIfEmpty(full);
        return added;
    }

    /** Two threads have met: from now on each new slot group is shared. */
    void share() {
        isShared = true;
    }

    /** Called by a slot group after a request has left a slot. */
    void left(Slots slots, int slot) {
        boolean areMany = lists.areMany();
        if ((slots != open || areMany) && slots.isEmptyFrom(slot)) {
            if (slots != open) {
                dropIfEmpty(slots);
            }
            if (areMany && open.isEmpty()) {
                lists.drop(this);
            }
        }
    }

    /** Requires: the slot group is not the open one any more. */
    private synchronized void dropIfEmpty(Slots slots) {
        if (slots.closeIfEmpty()) {
            GROUP.setVolatile(chain, slots.inChain, null);
            groups--;
            if (groups < used / 4) {
                pack();
            }
        }
    }

    @GuardedBy("this")
    private void append(Slots slots) {
        if (used == chain.length) {
            pack();
        }
        slots.inChain = used;
        GROUP.setVolatile(chain, used, slots);
        used++;
        groups++;
    }

    /** Moves the chain to another array, without gaps and with one free element for each slot group. */
    @GuardedBy("this")
    private void pack() {
        Slots[] packed = new Slots[Math.max(FIRST_GROUPS, 2 * groups)];
        used = 0;
        for (Slots slots : chain) {
            if (slots != null) {
                slots.inChain = used;
                packed[used++] = slots;
            }
        }
        chain = packed;
    }

    /** Closes it if it holds no request. True if it was closed. */
    synchronized boolean closeIfEmpty() {
        return groups == 1 && open.closeIfEmpty();
    }

    /** Closes it and removes all requests. */
    synchronized <R> List<R> drain() {
        List<R> requests = new ArrayList<>();
        if (!open.isClosed()) {
            for (Slots slots : chain) {
                if (slots != null) {
                    slots.drainTo(requests);
                }
            }
        }
        return requests;
    }

    /** Tries to complete each request that was added before the call; answers how many this call has completed. */
    <R extends Watched> int complete(Predicate<? super R> attempt) {
        int completed = 0;
        Slots[] now = chain;
        for (int i = 0; i < now.length; i++) {
            Slots slots = (Slots) GROUP.getVolatile(now, i);
            if (slots != null) {
                completed += slots.<R>complete(attempt);
            }
        }
        return completed;
    }

    synchronized int size() {
        int size = 0;
        for (Slots slots : chain) {
            size += slots == null ? 0 : slots.size();
        }
        return size;
    }

    synchronized int groupCount() {
        return groups;
    }
}

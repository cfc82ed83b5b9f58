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
 * The requests under one key, in about the order in which they came: a chain of {@link Slots}s, the last of which is
 * open for those who come.
 *
 * <p>Thread safe. Who comes, leaves or looks takes no lock; the monitor is for the chain only, and nothing foreign is
 * called under it.
 */
final class WatchList<K> {
    /*
     * L1  Rows are added and closed under the monitor. A row is dropped by closing it while it is empty, so nobody is
     *     lost with it.
     * L2  The open row is closed only with the list, and then all rows are. So who finds the open row closed has found
     *     a closed list.
     * L3  When nobody is under way, every row but the open one has somebody in it. The last to leave a row looks whether
     *     it is the open one after he has left; who opens another row looks whether the former is empty after that.
     * L4  Who looks through a chain sees all rows that were in it when he began and are not dropped: a row never moves
     *     within an array, but to another array, and what is added later is no business of his (W1).
     */
    private static final int FIRST_PLACES = 4;

    private static final int FIRST_ROWS = 2;
    private static final VarHandle ROW = MethodHandles.arrayElementVarHandle(Slots[].class);

    final K key;
    private final WatchLists<K, ?> lists;
    private final int places;

    /** Gaps where rows were dropped, and free at the end. */
    private volatile @Nullable Slots[] chain = new Slots[FIRST_ROWS];

    private volatile Slots open;

    private volatile boolean isShared;

    @GuardedBy("this")
    private int used;

    @GuardedBy("this")
    private int rows;

    WatchList(WatchLists<K, ?> lists, K key, int places) {
        this.lists = lists;
        this.key = key;
        this.places = places;
        this.open = new Slots(this, Math.min(FIRST_PLACES, places), false);
        synchronized (this) {
            append(open);
        }
    }

    /** The row that the request is in now; null if the list is closed. */
    @Nullable
    Slots put(Watched request) {
        for (Slots row = open; row != null; row = openAfter(row)) {
            if (row.put(request)) {
                return row;
            }
        }
        return null;
    }

    /** The open row after one that was found full, or where threads have met; null if the list is closed. */
    synchronized @Nullable Slots openAfter(Slots full) {
        if (open != full) {
            return open;
        }
        if (full.isClosed()) {
            return null;
        }
        Slots added = new Slots(this, places, isShared);
        append(added);
        open = added;
        dropIfEmpty(full);
        return added;
    }

    /** Threads have met: all rows to come are for them to share. */
    void share() {
        isShared = true;
    }

    /** Told by a row when somebody has left a place. */
    void left(Slots row, int place) {
        boolean areMany = lists.areMany();
        if ((row != open || areMany) && row.isEmptyFrom(place)) {
            if (row != open) {
                dropIfEmpty(row);
            }
            if (areMany && open.isEmpty()) {
                lists.drop(this);
            }
        }
    }

    /** Of a row that is not the open one any more, and so never will be. */
    private synchronized void dropIfEmpty(Slots row) {
        if (row.closeIfEmpty()) {
            ROW.setVolatile(chain, row.index, null);
            rows--;
            if (rows < used / 4) {
                pack();
            }
        }
    }

    @GuardedBy("this")
    private void append(Slots row) {
        if (used == chain.length) {
            pack();
        }
        row.index = used;
        ROW.setVolatile(chain, used, row);
        used++;
        rows++;
    }

    /** Goes on in another array: without gaps, and with as many free places as rows. */
    @GuardedBy("this")
    private void pack() {
        Slots[] packed = new Slots[Math.max(FIRST_ROWS, 2 * rows)];
        used = 0;
        for (Slots row : chain) {
            if (row != null) {
                row.index = used;
                packed[used++] = row;
            }
        }
        chain = packed;
    }

    /** True if nobody is in it, nor will be. */
    synchronized boolean closeIfEmpty() {
        return rows == 1 && open.closeIfEmpty();
    }

    /** Closes it and takes all out. */
    synchronized <R> List<R> drain() {
        List<R> requests = new ArrayList<>();
        if (!open.isClosed()) {
            for (Slots row : chain) {
                if (row != null) {
                    row.drainTo(requests);
                }
            }
        }
        return requests;
    }

    /** How many of those who are there before the call were completed by being asked now. */
    <R extends Watched> int complete(Predicate<? super R> attempt) {
        int completed = 0;
        Slots[] now = chain;
        for (int i = 0; i < now.length; i++) {
            Slots row = (Slots) ROW.getVolatile(now, i);
            if (row != null) {
                completed += row.<R>complete(attempt);
            }
        }
        return completed;
    }

    synchronized int size() {
        int size = 0;
        for (Slots row : chain) {
            size += row == null ? 0 : row.size();
        }
        return size;
    }

    synchronized int rowCount() {
        return rows;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What can wait under keys in {@link WatchLists}, and for its time in a {@link WheelTimer}: the state that a request
 * carries for both, whether it is finished, and a lock of its own until it is. Thread safe.
 *
 * <p>Who only wants to know whether a request can be completed now need not wait for the lock: he asks who holds it to
 * try once more. And who is finished is never held again, so nobody waits for what finishing a request means to others.
 */
public abstract class Watched extends Timeout {
    /*
     *               enter                    enterOrAsk
     *      free -----------> held by a thread ----------> held, and asked
     *       |   <-----------        |                           |
     *       |       exit            |                           |
     *       |   <----------------------------- exit ------------+
     *       +----------+------------+---------------------------+
     *                  | finish
     *                  v
     *               finished
     *
     *  C1  Of all calls of finish one is told that it has finished the request.
     *  C2  One thread at a time holds it, and no other one finishes it meanwhile.
     *  C3  What was written while it was held is seen by who holds it next, and by who finishes it.
     *  C4  Who has asked is heard: who held the request learns of it as he exits, and sees all that happened before it.
     */
    private static final Object FINISHED = new Object();

    private static final VarHandle HOLDER;

    static {
        try {
            HOLDER = MethodHandles.lookup().findVarHandle(Watched.class, "holder", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Held by a thread that was asked to try once more. */
    private record AskedHolder(Thread thread) {}

    /** Null, the {@link Thread} or {@link AskedHolder} that holds it, or {@link #FINISHED}. */
    private volatile @Nullable Object holder;

    /**
     * Where it is watched: nowhere (null), in this {@link Slots} and perhaps in {@link #second} and {@link #third}, or
     * in each of a {@code Slots[]} that is not null. An array for few keys would be a cache miss more for who completes
     * it. It and the following belong to who holds the request, and in the end to who has finished it.
     */
    @Nullable
    Object rows;

    @Nullable
    Slots second;

    @Nullable
    Slots third;

    /** The numbers of the places that it took in its rows, of which it remembers the last five: where to look first. */
    int lastPlaces;

    /** Watched nowhere. */
    protected Watched() {}

    /**
     * Waits until no other thread holds it, and holds it.
     *
     * @return whether {@link #exit} must follow; false if this thread holds it already, or if it is finished
     */
    protected final boolean enter() {
        Thread self = Thread.currentThread();
        if (HOLDER.compareAndSet(this, null, self)) {
            return true;
        }
        SpinBackoff patience = new SpinBackoff();
        while (true) {
            Object now = holder;
            if (now == null ? HOLDER.compareAndSet(this, null, self) : now == FINISHED || isThread(now, self)) {
                return now == null;
            }
            patience.pause(this);
        }
    }

    /**
     * Holds it; or asks whoever holds it to try once more, be it this thread.
     *
     * @return whether it is held now, and {@link #exit} must follow; false if it is finished, too
     */
    protected final boolean enterOrAsk() {
        Thread self = Thread.currentThread();
        while (true) {
            Object now = holder;
            if (now == null) {
                if (HOLDER.compareAndSet(this, null, self)) {
                    return true;
                }
            } else if (now == FINISHED || HOLDER.compareAndSet(this, now, asked(now))) {
                return false;
            }
        }
    }

    /** Who asks writes, even if somebody has asked before: otherwise what he did before might be seen too late (C4). */
    private static Object asked(Object holder) {
        return holder instanceof Thread thread ? new AskedHolder(thread) : holder;
    }

    /**
     * Lets others hold it. Requires: {@link #enter} or {@link #enterOrAsk} has answered true.
     *
     * @return whether somebody has asked meanwhile to try once more, and it is not finished
     */
    protected final boolean exit() {
        if (HOLDER.compareAndSet(this, Thread.currentThread(), null) || holder == FINISHED) {
            return false;
        }
        // Reads what it overwrites, that is of who has asked last.
        HOLDER.getAndSet(this, null);
        return true;
    }

    /** Finishes it, for ever; waits as long as another thread holds it. True for the one call that has done so. */
    protected final boolean finish() {
        if (HOLDER.compareAndSet(this, null, FINISHED)) {
            return true;
        }
        Thread self = Thread.currentThread();
        SpinBackoff patience = new SpinBackoff();
        while (true) {
            Object now = holder;
            if (now == FINISHED) {
                return false;
            }
            if (now == null || isThread(now, self)) {
                if (HOLDER.compareAndSet(this, now, FINISHED)) {
                    return true;
                }
            } else {
                patience.pause(this);
            }
        }
    }

    private static boolean isThread(Object holder, Thread self) {
        return holder == self || (holder instanceof AskedHolder asked && asked.thread == self);
    }

    /** Whether it is finished. */
    protected final boolean isFinished() {
        return holder == FINISHED;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A request that can wait under keys in {@link WatchLists}. It carries the state for that, and is its own lock until it
 * is finished. Thread safe.
 *
 * <p>A thread that only wants a request to be tried need not wait for this lock: it asks the holder to try again. And a
 * finished request is never held again, so no thread waits for the work that follows the finish.
 */
public abstract class Watched {
    /*
     *               enter                    enterOrAsk
     *      free -----------> held by a thread ----------> held, and asked
     *       |   <-----------        |                           |
     *       |       exit            | finish, by another thread |
     *       |   <-------------------|--------- exit ------------+
     *       |                       |                           |
     *       |                       +-------------+-------------+
     *       |                                     v
     *       |                           held, and to be finished
     *       |                                     |
     *       | finish                              | exit, or finish by the holder; the holder
     *       +--------------------+----------------+ may finish it in all states that it holds
     *                            v
     *                         finished
     *
     *  C1  Exactly one call of finish answers that it has finished the request.
     *  C2  One thread at a time holds it, and no other thread finishes it meanwhile.
     *  C3  The next holder, and the thread that finishes it, see all that the last holder has written.
     *  C4  No question is lost: the holder learns on exit that a thread has asked, and sees all that this thread did
     *      before it asked; or the request becomes finished.
     *  C5  A thread that waits to finish it waits for one stay of one holder at most. It announces itself in the word;
     *      from then on nothing but FINISHED can follow, and the exit writes that for it and wakes it.
     *
     * Without C5 the expiry of a request could starve: a holder that is asked all the time enters again some
     * nanoseconds after each exit, and a thread that looks at the word now and then never sees it free.
     *
     * An announced word is not written by a thread that asks: no try follows that would have to see its writes. So
     * only the holder writes the word from then on. It says that it has finished the request for the announced thread
     * (isGranted, a plain store) before the volatile store of FINISHED, which that thread reads first.
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

    /** The holder, after another thread has asked it to try again. */
    private record AskedHolder(Thread thread) {}

    /** The holder, and the thread that waits for its exit to finish the request. */
    private static final class AwaitedHolder {
        final Thread thread;
        final Thread finisher;
        /** Whether the holder has finished it for the {@link #finisher}, and not for itself. */
        boolean isGranted;

        AwaitedHolder(Thread thread, Thread finisher) {
            this.thread = thread;
            this.finisher = finisher;
        }
    }

    /** Null, the {@link Thread}, {@link AskedHolder} or {@link AwaitedHolder} that holds it, or {@link #FINISHED}. */
    private volatile @Nullable Object holder;

    /**
     * Where it is watched: nowhere (null), in this {@link Slots} and perhaps in {@link #second} and {@link #third}, or
     * in {@link ManySlots}. With few keys, these would cost the completing thread one more cache miss. This field and
     * the following belong to the holder, and in the end to the thread that has finished the request.
     */
    @Nullable
    Object groups;

    @Nullable
    Slots second;

    @Nullable
    Slots third;

    /**
     * The numbers of the slots that it took last, the last one in the lowest bits: see {@link StripeTurns#lastSlot}.
     */
    int lastSlots;

    /** The slot that it tries first in a slot group of a watch list. */
    final byte firstSlot;

    /** Whether {@link WatchLists#watch} runs; the holder tries it once more after that (W1). */
    boolean isBeingWatched;

    /** Begins free and watched nowhere. */
    protected Watched() {
        this(StripeTurns.firstSlot(StripeTurns.next()));
    }

    /** As above; for a request that also is or has this timeout. */
    protected Watched(Timeout timeout) {
        this(timeout.firstSlot());
    }

    private Watched(int firstSlot) {
        this.firstSlot = (byte) firstSlot;
    }

    /**
     * Waits until no other thread holds it, and holds it.
     *
     * @return whether {@link #exit} must follow; false if this thread holds it already, or if it is finished
     */
    public final boolean enter() {
        Thread self = Thread.currentThread();
        if (HOLDER.compareAndSet(this, null, self)) {
            return true;
        }
        SpinBackoff backoff = new SpinBackoff();
        while (true) {
            Object now = holder;
            if (now == null ? HOLDER.compareAndSet(this, null, self) : now == FINISHED || isThread(now, self)) {
                return now == null;
            }
            backoff.pause(this);
        }
    }

    /**
     * Holds it, or asks its holder, which may be this thread, to try again.
     *
     * @return whether it is held now, and {@link #exit} must follow; false as well if it is finished
     */
    public final boolean enterOrAsk() {
        Thread self = Thread.currentThread();
        while (true) {
            Object now = holder;
            if (now == null) {
                if (HOLDER.compareAndSet(this, null, self)) {
                    return true;
                }
            } else if (isLast(now) || HOLDER.compareAndSet(this, now, asked(now))) {
                return false;
            }
        }
    }

    /** Whether no thread can enter any more. */
    private static boolean isLast(Object now) {
        return now == FINISHED || now instanceof AwaitedHolder;
    }

    /** A thread that asks writes even if another has asked before: its earlier writes might be seen too late (C4). */
    private static Object asked(Object holder) {
        return holder instanceof Thread thread ? new AskedHolder(thread) : holder;
    }

    /**
     * Stops holding it, and finishes it if a thread waits to do so. Requires: {@link #enter} or {@link #enterOrAsk} has
     * answered true.
     *
     * @return whether another thread has asked meanwhile to try again, and it is not finished
     */
    public final boolean exit() {
        if (holder == FINISHED || HOLDER.compareAndSet(this, Thread.currentThread(), null)) {
            return false;
        }
        Object now = holder;
        // Reads the value that it overwrites: the one of the thread that asked last.
        if (now instanceof AskedHolder && HOLDER.compareAndSet(this, now, null)) {
            return true;
        }
        if (holder instanceof AwaitedHolder awaited) {
            awaited.isGranted = true;
            holder = FINISHED;
            SpinBackoff.wake(awaited.finisher);
        }
        return false;
    }

    /** Finishes it for ever, once no other thread holds it. True for the one call that has done so. */
    public final boolean finish() {
        Thread self = Thread.currentThread();
        while (true) {
            Object now = holder;
            if (now == null || isThread(now, self)) {
                if (HOLDER.compareAndSet(this, now, FINISHED)) {
                    if (now instanceof AwaitedHolder awaited) {
                        SpinBackoff.wake(awaited.finisher);
                    }
                    return true;
                }
            } else if (isLast(now)) {
                awaitFinished();
                return false;
            } else {
                AwaitedHolder awaited = new AwaitedHolder(threadOf(now), self);
                if (HOLDER.compareAndSet(this, now, awaited)) {
                    awaitFinished();
                    return awaited.isGranted;
                }
            }
        }
    }

    private void awaitFinished() {
        SpinBackoff backoff = new SpinBackoff();
        while (holder != FINISHED) {
            backoff.pause(this);
        }
    }

    private static boolean isThread(Object holder, Thread self) {
        return holder == self || (holder != FINISHED && threadOf(holder) == self);
    }

    private static Thread threadOf(Object holder) {
        if (holder instanceof AskedHolder asked) {
            return asked.thread;
        }
        return holder instanceof AwaitedHolder awaited ? awaited.thread : (Thread) holder;
    }

    /** Whether it is finished. */
    public final boolean isFinished() {
        return holder == FINISHED;
    }
}

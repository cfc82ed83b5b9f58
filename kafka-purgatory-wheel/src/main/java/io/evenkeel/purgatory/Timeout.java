/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * An element of a {@link WheelTimer}. It is its own list cell, so that waiting allocates nothing.
 *
 * <p>After a cancel it lingers for a while: it is not pending any more, but still linked.
 *
 * <p>Thread safe. It belongs to one timer: two timers with the same timeout would break each other's lists.
 *
 * <p>The lock of its stripe guards everything but the stripe itself. Only {@link #isPending()} and
 * {@link #hasExpired()} read without it.
 */
public abstract class Timeout {
    private static final short NOWHERE = 0;
    private static final short EXPIRED = -1;
    private static final VarHandle POSITION;

    static {
        try {
            POSITION = MethodHandles.lookup().findVarHandle(Timeout.class, "position", short.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** From the thread that made it, because that thread usually adds it and watches it. */
    private final short made = StripeTurns.next();

    /**
     * {@link #NOWHERE}, {@link #EXPIRED}, or the position in its wheel plus 1. While it lingers, all bits of the latter
     * are inverted.
     */
    private short position;

    /** When it is due; valid while it is pending. */
    long tick;

    /** The one before it in its bucket; for the first, the last of the bucket; itself if it is not linked. */
    Timeout prev = this;

    /** The one after it in its bucket. */
    @Nullable
    Timeout next;

    /** The stripe that it uses whenever it is pending. */
    final int stripe() {
        return StripeTurns.stripe(made);
    }

    /** The slot that it tries first in a slot group of a watch list. */
    final int firstSlot() {
        return StripeTurns.firstSlot(made);
    }

    /** True from the moment it is added until it is cancelled or about to be handed out. */
    public final boolean isPending() {
        return (short) POSITION.getVolatile(this) > NOWHERE;
    }

    /** True from the moment it is about to be handed out until it is added again. */
    final boolean hasExpired() {
        return (short) POSITION.getVolatile(this) == EXPIRED;
    }

    final boolean isPendingLocked() {
        return position > NOWHERE;
    }

    final boolean isLingeringLocked() {
        return position < EXPIRED;
    }

    final int positionLocked() {
        return (isLingeringLocked() ? ~position : position) - 1;
    }

    final void lingerLocked() {
        POSITION.setRelease(this, (short) ~position);
    }

    final void enterLocked(int newPosition) {
        if (position == EXPIRED) {
            // Other threads read without the lock that it has expired; they must not once it has been added again.
            POSITION.setVolatile(this, (short) (newPosition + 1));
        } else {
            POSITION.setRelease(this, (short) (newPosition + 1));
        }
    }

    final void leaveLocked() {
        POSITION.setRelease(this, NOWHERE);
    }

    final void expireLocked() {
        POSITION.setRelease(this, EXPIRED);
    }
}

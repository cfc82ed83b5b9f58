/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * What waits in a {@link WheelTimer}, and the cell of its lists at the same time, so that waiting allocates nothing.
 *
 * <p>Thread safe. It belongs to one timer: two that held the same one would break each other's lists.
 *
 * <p>Everything but the lane is guarded by the lock of that lane. Only {@link #isPending()} and {@link #hasExpired()}
 * read without it.
 */
public abstract class Timeout {
    private static final short NOWHERE = 0;
    private static final short EXPIRED = -1;
    private static final VarHandle PLACE;

    static {
        try {
            PLACE = MethodHandles.lookup().findVarHandle(Timeout.class, "place", short.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Of the thread that made it, as this is who adds it and lets it be watched as a rule. */
    private final short made = StripeTurns.next();

    /** {@link #NOWHERE}, {@link #EXPIRED}, or else the place in its wheel plus 1. */
    private short place;

    /** When it is due; valid while it is pending. */
    long tick;

    /** The one before it in its bucket, the last of it if it is the first; itself if it waits nowhere. */
    Timeout prev = this;

    /** The one after it in its bucket. */
    @Nullable
    Timeout next;

    /** Where it waits, whenever it does. */
    final int lane() {
        return StripeTurns.lane(made);
    }

    /** Where it first looks for a place in a {@link Slots}. */
    final int firstPlace() {
        return StripeTurns.firstPlace(made);
    }

    /** True from the moment it is added until it is cancelled or about to be handed out. */
    public final boolean isPending() {
        return (short) PLACE.getVolatile(this) > NOWHERE;
    }

    /** True from the moment it is about to be handed out until it is added again. */
    final boolean hasExpired() {
        return (short) PLACE.getVolatile(this) == EXPIRED;
    }

    final boolean isPendingLocked() {
        return place > NOWHERE;
    }

    final int placeLocked() {
        return place - 1;
    }

    final void enterLocked(int newPlace) {
        if (place == EXPIRED) {
            // Without the lock others see that it has expired, and must not do so any more once it has been added.
            PLACE.setVolatile(this, (short) (newPlace + 1));
        } else {
            PLACE.setRelease(this, (short) (newPlace + 1));
        }
    }

    final void leaveLocked() {
        PLACE.setRelease(this, NOWHERE);
    }

    final void expireLocked() {
        PLACE.setRelease(this, EXPIRED);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.kafka.server.util.timer;

import io.evenkeel.purgatory.Watched;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link Timer} runs when its delay is over. In the place of Kafka's class of this name. Thread safe.
 *
 * <p>In a {@link SystemTimer} it is itself what the timer links. Any other timer may give it a {@link TimerTaskEntry},
 * as ever.
 */
@NullMarked
public abstract class TimerTask extends Watched implements Runnable {
    /** Milliseconds from the add. */
    public final long delayMs;

    /**
     * The {@link SystemTimer} or the {@link TimerTaskEntry} that has it or had it last; null if it was cancelled since.
     */
    private volatile @Nullable Object holder;

    public TimerTask(long delayMs) {
        this.delayMs = delayMs;
    }

    /** Has it never run, if it has not been handed out yet. */
    public void cancel() {
        Object from = holder;
        if (from instanceof SystemTimer timer) {
            holder = null;
            timer.remove(this);
        } else if (from != null) {
            setTimerTaskEntry(null);
        }
    }

    /** True from a cancel, and before the first add. */
    public boolean isCancelled() {
        return holder == null;
    }

    /**
     * Called before the timer takes it: takes it away from where it is, unless that is the same timer, which moves it.
     */
    final void heldBy(SystemTimer timer) {
        if (holder != timer) {
            cancel();
            holder = timer;
        }
    }

    final synchronized void setTimerTaskEntry(@Nullable TimerTaskEntry entry) {
        Object from = holder;
        if (from instanceof SystemTimer timer) {
            timer.remove(this);
        } else if (from != entry && from instanceof TimerTaskEntry old) {
            old.remove();
        }
        holder = entry;
    }

    @Nullable
    TimerTaskEntry getTimerTaskEntry() {
        return holder instanceof TimerTaskEntry entry ? entry : null;
    }
}

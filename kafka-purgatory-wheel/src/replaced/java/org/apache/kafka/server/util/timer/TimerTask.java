/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.kafka.server.util.timer;

import io.evenkeel.purgatory.Timeout;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/**
 * A task that a {@link Timer} runs after a delay. Replaces Kafka's class of this name. Thread safe.
 *
 * <p>A {@link SystemTimer} links the task itself. Any other timer may give it a {@link TimerTaskEntry}, as in stock.
 */
@NullMarked
public abstract class TimerTask extends Timeout implements Runnable {
    /** Milliseconds from the add to the run. */
    public final long delayMs;

    /** The {@link SystemTimer} or the {@link TimerTaskEntry} that has it or had it last; null after a cancel. */
    private volatile @Nullable Object holder;

    public TimerTask(long delayMs) {
        this.delayMs = delayMs;
    }

    /** Cancels it: it does not run, unless it has been handed out already. */
    public void cancel() {
        Object from = holder;
        if (from instanceof SystemTimer timer) {
            holder = null;
            timer.remove(this);
        } else if (from != null) {
            setTimerTaskEntry(null);
        }
    }

    /** True after a cancel, and before the first add. */
    public boolean isCancelled() {
        return holder == null;
    }

    /** Called before a timer adds it: removes it from any other timer. The same timer moves it instead. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;

/**
 * One named daemon thread that runs a step again and again. Thread safe.
 *
 * <p>The step gets the time and answers how long to wait before its next run. A step that throws does not end the
 * thread: the failure goes to {@code onFailure}, and the next try waits longer after each failure in a row, up to
 * {@link #MAX_BACKOFF_NANOS}. {@link #wake()} cuts a wait short. {@link #close()} ends the thread after the step it is
 * in, without an interrupt: an interrupt would close the file channel the step is using.
 */
public final class Worker implements AutoCloseable {
    /** The longest pause after repeated failures. */
    public static final long MAX_BACKOFF_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final long FIRST_BACKOFF_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The work that a worker repeats. */
    @FunctionalInterface
    public interface Step {
        /**
         * Does one bounded piece of work.
         *
         * @param nowNanos the time by {@link System#nanoTime()}
         * @return nanoseconds until the next run; 0 or less means at once
         */
        long run(long nowNanos) throws Exception;
    }

    private final Step step;
    private final BiConsumer<String, Throwable> onFailure;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private boolean woken;
    private volatile boolean closed;

    /** @param onFailure gets the worker's name and the exception of its step; must not throw */
    public Worker(String name, Step step, BiConsumer<String, Throwable> onFailure) {
        this.step = step;
        this.onFailure = onFailure;
        this.thread = new Thread(this::loop, name);
        thread.setDaemon(true);
    }

    /** Starts the thread; to be called once. */
    public Worker start() {
        thread.start();
        return this;
    }

    /** Makes the next step run now instead of after its wait. */
    public void wake() {
        lock.lock();
        try {
            woken = true;
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** Whether the caller is the step that this worker runs. */
    public boolean isCurrent() {
        return Thread.currentThread() == thread;
    }

    /** True after {@link #close()}: a long step should check this now and then, and return. */
    public boolean isClosed() {
        return closed;
    }

    /** Asks the thread to end and waits for its current step, at most for the timeout; answers whether it has ended. */
    public boolean close(long timeoutMs) throws InterruptedException {
        close();
        if (thread != Thread.currentThread() && timeoutMs > 0) {
            thread.join(timeoutMs);
        }
        return !thread.isAlive();
    }

    /** Asks the thread to end; does not wait for it. */
    @Override
    public void close() {
        closed = true;
        wake();
    }

    private void loop() {
        long backoffNanos = 0;
        while (!closed) {
            long waitNanos;
            try {
                waitNanos = step.run(System.nanoTime());
                backoffNanos = 0;
            } catch (Throwable failure) {
                onFailure.accept(thread.getName(), failure);
                backoffNanos = Math.min(MAX_BACKOFF_NANOS, Math.max(FIRST_BACKOFF_NANOS, backoffNanos * 2));
                waitNanos = backoffNanos;
            }
            await(waitNanos);
        }
    }

    private void await(long nanos) {
        lock.lock();
        try {
            long leftNanos = nanos;
            while (leftNanos > 0 && !woken && !closed) {
                leftNanos = changed.awaitNanos(leftNanos);
            }
            woken = false;
        } catch (InterruptedException e) {
            // Only close() may end this thread. The flag is dropped so that it does not close the channel of the next
            // file operation.
            woken = false;
        } finally {
            lock.unlock();
        }
    }
}

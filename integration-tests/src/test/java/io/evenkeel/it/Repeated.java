/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Repeats a step in a thread of its own, with a pause in between, and measures the longest step. Any thread may call
 * its methods.
 */
public final class Repeated implements AutoCloseable {
    /** The step to repeat. */
    public interface Step {
        void run() throws Exception;
    }

    private static final long END_MS = 60_000;

    private final Step step;
    private final long pauseNanos;
    private final Thread thread;
    private volatile boolean ended;
    private volatile @Nullable Throwable failure;
    private long count;
    private long longestNanos;
    private long startedNanos;

    public Repeated(String name, long pauseMs, Step step) {
        this.step = step;
        this.pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMs);
        this.thread = new Thread(this::repeat, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void repeat() {
        try {
            while (!ended) {
                started();
                step.run();
                done();
                LockSupport.parkNanos(pauseNanos);
            }
        } catch (Exception | AssertionError e) {
            failure = e;
        }
    }

    private synchronized void started() {
        startedNanos = System.nanoTime();
    }

    private synchronized void done() {
        longestNanos = Math.max(longestNanos, System.nanoTime() - startedNanos);
        startedNanos = 0;
        count++;
    }

    /** The number of completed steps. */
    public synchronized long count() {
        return count;
    }

    /** The longest step since the last call, including the one under way. */
    public synchronized long takeLongestMs() {
        long underWayNanos = startedNanos == 0 ? 0 : System.nanoTime() - startedNanos;
        long nanos = Math.max(longestNanos, underWayNanos);
        longestNanos = 0;
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    /** Throws if a step has failed. */
    public void throwIfFailed() {
        Throwable cause = failure;
        if (cause != null) {
            throw new IllegalStateException(thread.getName() + " failed", cause);
        }
    }

    /** Waits for the step under way to end, for a minute at most. */
    public void end() {
        ended = true;
        try {
            thread.join(END_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Waits for the step under way to end; throws if a step has failed. */
    @Override
    public void close() {
        end();
        throwIfFailed();
        if (thread.isAlive()) {
            throw new IllegalStateException(thread.getName() + " hangs");
        }
    }

    @Override
    public String toString() {
        return thread.getName();
    }
}

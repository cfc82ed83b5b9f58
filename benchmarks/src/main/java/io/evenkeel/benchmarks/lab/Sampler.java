/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Takes samples of a value at a steady pace, on a thread of its own, until another thread stops it. */
public final class Sampler<T> implements AutoCloseable {
    /** A value, and when it was taken. */
    public record Sample<T>(long atNanos, T value) {}

    /** The source of the values. */
    public interface Source<T> {
        T sample() throws IOException;
    }

    private final Source<T> source;
    private final long intervalNanos;
    private final List<Sample<T>> samples = new ArrayList<>(); // the sampling thread's, until it has ended
    private final Thread thread;
    private volatile boolean stopped;
    private volatile @Nullable Throwable failure;

    public Sampler(String name, int perSecond, Source<T> source) {
        this.source = source;
        this.intervalNanos = TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.thread = Threads.start(name, this::run);
    }

    private void run() {
        try {
            for (long due = System.nanoTime(); !stopped; due = Math.max(due + intervalNanos, System.nanoTime())) {
                while (!stopped && System.nanoTime() - due < 0) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                samples.add(new Sample<>(System.nanoTime(), source.sample()));
            }
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    /** Stops the thread and returns its samples. */
    public List<Sample<T>> stop() throws IOException {
        close();
        Throwable cause = failure;
        if (cause != null) {
            throw new IOException(thread.getName() + " failed", cause);
        }
        return List.copyOf(samples);
    }

    @Override
    public void close() {
        stopped = true;
        LockSupport.unpark(thread);
        Threads.join(thread);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

/** The threads that a benchmark runs its load on. Stateless. */
public final class Threads {
    private Threads() {}

    /** Starts a daemon thread. */
    public static Thread start(String name, Runnable load) {
        Thread thread = new Thread(load, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /**
     * Waits until a thread has ended.
     *
     * @throws IllegalStateException when the calling thread is interrupted
     */
    public static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while thread " + thread.getName() + " ended", e);
        }
    }
}

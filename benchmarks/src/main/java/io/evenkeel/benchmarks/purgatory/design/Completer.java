/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

/** Completes requests at given times, on a thread of its own. One other thread adds the requests. */
public interface Completer extends AutoCloseable {
    /**
     * Adds a request that is to be completed at an instant less than a quarter of a second after the last
     * {@link #advance}.
     */
    void add(PurgatoryDesign.Waiting request, long atNanos);

    /** Passes the time; to be called before each {@link #add}. Waits when the completer is far behind. */
    void advance(long nowNanos) throws InterruptedException;

    /** The requests that this completer has completed, without those that had expired before. */
    long completed();

    @Override
    void close();

    /** {@code ring} costs next to nothing; {@code queue} is that of the proposal's own benchmark. */
    static Completer named(String name) {
        return switch (name) {
            case "ring" -> new RingCompleter();
            case "queue" -> new QueueCompleter();
            default -> throw new IllegalArgumentException("unknown completer: " + name);
        };
    }
}

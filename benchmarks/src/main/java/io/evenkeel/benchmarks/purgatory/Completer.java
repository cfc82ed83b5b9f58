/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

/** Completes requests at given times, on a thread of its own; the thread that makes requests tells it of them. */
interface Completer extends AutoCloseable {
    /** Has a request completed then, which is less than a quarter of a second from the last {@link #advance}. */
    void add(PurgatoryDesign.Waiting request, long atNanos);

    /** To be called with the time before each {@link #add}; waits when the completer is far behind. */
    void advance(long nowNanos) throws InterruptedException;

    /** Requests that this has completed, without those that had expired before. */
    long completed();

    @Override
    void close();

    /** {@code ring} costs next to nothing; {@code queue} is what the proposal's own benchmark has. */
    static Completer named(String name) {
        return switch (name) {
            case "ring" -> new RingCompleter();
            case "queue" -> new QueueCompleter();
            default -> throw new IllegalArgumentException("no such completer: " + name);
        };
    }
}

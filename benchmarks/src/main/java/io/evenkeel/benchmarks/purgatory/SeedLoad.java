/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.purgatory.design.Completer;
import io.evenkeel.benchmarks.purgatory.design.PurgatoryDesign;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;

/**
 * Requests that arrive in a purgatory as a Poisson process, each under the same three keys. Another thread completes
 * them unless they time out before. Requests arrive on the thread that calls {@link #runUntil}.
 */
final class SeedLoad implements AutoCloseable {
    private static final int KEYS = 3;
    private static final int DATA_BYTES = 100;
    private static final long TIMEOUT_MS = 200;
    private static final long TIMEOUT_NANOS = TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
    /** A power of two: the number of intervals and times to completion that are drawn beforehand. */
    private static final int SAMPLES = 1 << 16;
    /** Short compared to the timeout, and long compared to the cost of waking up. */
    private static final long WAIT_NANOS = TimeUnit.MICROSECONDS.toNanos(250);
    /** With more unfinished requests, arrivals wait for the purgatory; a purgatory that keeps up has fewer. */
    private static final long UNFINISHED = 400_000;

    private static final int CHECK_EVERY = 64;
    private static final long STALL_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<TopicPartitionOperationKey> keys = IntStream.range(0, KEYS)
            .mapToObj(partition -> new TopicPartitionOperationKey("topic", partition))
            .toList();
    private final PurgatoryDesign purgatory;
    private final Completer completer;
    private final Lateness lateness = new Lateness();
    private final long[] intervals;
    private final long[] completions;
    private long arrivalNanos = System.nanoTime();
    private long requests;
    private long stalledNanos;

    /** @param requestsPerSecond 0 for as many as possible */
    SeedLoad(PurgatoryDesign purgatory, Completer completer, SeedCase seedCase, int requestsPerSecond) {
        this.purgatory = purgatory;
        this.completer = completer;
        this.intervals = intervals(requestsPerSecond);
        this.completions = seedCase.samples(SAMPLES);
    }

    private static long[] intervals(int perSecond) {
        long[] nanos = new long[SAMPLES];
        Random random = new Random(SAMPLES);
        for (int i = 0; i < SAMPLES && perSecond > 0; i++) {
            nanos[i] = (long) (-Math.log(1 - random.nextDouble()) * TimeUnit.SECONDS.toNanos(1) / perSecond);
        }
        return nanos;
    }

    /** The data of a request, which a purgatory holds until the request is completed, or longer. */
    private static final class Request implements Runnable {
        @SuppressWarnings("unused") // occupies memory
        private final byte[] data = new byte[DATA_BYTES];

        private final long dueNanos;
        private final Lateness lateness;

        Request(long dueNanos, Lateness lateness) {
            this.dueNanos = dueNanos;
            this.lateness = lateness;
        }

        @Override
        public void run() {
            lateness.record(dueNanos);
        }
    }

    void runUntil(long endNanos) throws InterruptedException {
        long now = System.nanoTime();
        while (now - endNanos < 0) {
            completer.advance(now);
            if (arrivalNanos - now > 0 || (requests % CHECK_EVERY == 0 && unfinished() > UNFINISHED)) {
                LockSupport.parkNanos(WAIT_NANOS);
                now = System.nanoTime();
            } else {
                arrive(now);
                long after = System.nanoTime();
                stalledNanos += after - now > STALL_NANOS ? after - now : 0;
                now = after;
            }
        }
    }

    private void arrive(long now) {
        int sample = (int) requests & (SAMPLES - 1);
        Request request = new Request(now + TIMEOUT_NANOS, lateness);
        PurgatoryDesign.Waiting waiting = purgatory.watch(keys, TIMEOUT_MS, request);
        long waitNanos = Math.min(completions[sample], TIMEOUT_NANOS);
        // Without expiry, the completer holds the request and its data until the timeout.
        if (waitNanos < TIMEOUT_NANOS || !purgatory.expires()) {
            completer.add(waiting, now + waitNanos);
        }
        arrivalNanos = intervals[sample] == 0 ? now : arrivalNanos + intervals[sample];
        requests++;
    }

    /** Requests that have arrived and were neither completed nor have expired. */
    long unfinished() {
        return requests - completer.completed() - lateness.expired();
    }

    /** Lets no more requests arrive, and gives the others time to be completed or to expire. */
    void drain(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        while (unfinished() > 0 && System.nanoTime() - end < 0) {
            completer.advance(System.nanoTime());
            LockSupport.parkNanos(WAIT_NANOS);
        }
    }

    long requests() {
        return requests;
    }

    /**
     * The time of all arrivals that took more than a millisecond each, pauses of the machine and of the garbage
     * collector included.
     */
    long stalledNanos() {
        return stalledNanos;
    }

    Lateness lateness() {
        return lateness;
    }

    @Override
    public void close() {
        completer.close();
        purgatory.close();
    }
}

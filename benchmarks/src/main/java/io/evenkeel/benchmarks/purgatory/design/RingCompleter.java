/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import java.util.Arrays;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A completer with a ring that has a batch of requests for each millisecond. The thread that adds requests owns the
 * ring. When a millisecond is over, its batch goes to the completing thread as a whole, and comes back empty.
 */
final class RingCompleter implements Completer {
    private static final int SLOTS = 256;
    /** How many milliseconds the completing thread may be behind. */
    private static final int BEHIND = 64;

    private final Batch[] ring = new Batch[SLOTS];
    private final BlockingQueue<Batch> due = new ArrayBlockingQueue<>(BEHIND);
    private final BlockingQueue<Batch> empty = new ArrayBlockingQueue<>(BEHIND + SLOTS);
    private final Thread thread = new Thread(this::run, "completer");
    private long currentMs = millis(System.nanoTime());
    private volatile long completed;

    /** The requests of one millisecond. */
    private static final class Batch {
        private PurgatoryDesign.Waiting[] requests = new PurgatoryDesign.Waiting[16];
        private int size;

        void add(PurgatoryDesign.Waiting request) {
            if (size == requests.length) {
                requests = Arrays.copyOf(requests, 2 * size);
            }
            requests[size++] = request;
        }

        int complete() {
            int completed = 0;
            for (int i = 0; i < size; i++) {
                completed += requests[i].complete() ? 1 : 0;
            }
            Arrays.fill(requests, 0, size, null);
            size = 0;
            return completed;
        }
    }

    RingCompleter() {
        Arrays.setAll(ring, any -> new Batch());
        thread.start();
    }

    @Override
    public void add(PurgatoryDesign.Waiting request, long atNanos) {
        ring[(int) (millis(atNanos) & (SLOTS - 1))].add(request);
    }

    @Override
    public void advance(long nowNanos) throws InterruptedException {
        long nowMs = millis(nowNanos);
        for (; currentMs < nowMs; currentMs++) {
            int slot = (int) (currentMs & (SLOTS - 1));
            if (ring[slot].size > 0) {
                due.put(ring[slot]);
                Batch other = empty.poll();
                ring[slot] = other == null ? new Batch() : other;
            }
        }
    }

    private void run() {
        try {
            while (true) {
                Batch batch = due.take();
                addCompleted(batch.complete());
                empty.offer(batch);
            }
        } catch (InterruptedException closed) {
            // the completer is closed
        }
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    private void addCompleted(int more) {
        completed += more;
    }

    @Override
    public long completed() {
        return completed;
    }

    @Override
    public void close() {
        thread.interrupt();
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.apache.kafka.server.purgatory.DelayedOperation;
import org.apache.kafka.server.purgatory.DelayedOperationKey;
import org.apache.kafka.server.purgatory.DelayedOperationPurgatory;

/**
 * Very many requests at once, with the oddest timeouts that clients send, for any Kafka that a test has loaded. Their
 * clients go away, so those that do not time out wait until something happens to their partition.
 */
public final class ClientTimeouts {
    private static final long[] TIMEOUTS_MS = {0, -1, Integer.MAX_VALUE, Long.MAX_VALUE};
    private static final int REQUESTS = 100_000;
    private static final int THREADS = 4;
    private static final List<Key> KEYS =
            IntStream.range(0, 100).mapToObj(i -> new Key("key-" + i)).toList();

    private final DelayedOperationPurgatory<Request> purgatory = new DelayedOperationPurgatory<>("test", 1);
    private final AtomicIntegerArray expired = new AtomicIntegerArray(TIMEOUTS_MS.length);
    private final AtomicIntegerArray completions = new AtomicIntegerArray(REQUESTS);
    private volatile boolean happened;

    private record Key(String keyLabel) implements DelayedOperationKey {}

    private class Request extends DelayedOperation {
        private final int number;

        Request(int number) {
            super(TIMEOUTS_MS[number % TIMEOUTS_MS.length]);
            this.number = number;
        }

        @Override
        public void onExpiration() {
            expired.incrementAndGet(number % TIMEOUTS_MS.length);
        }

        @Override
        public void onComplete() {
            completions.incrementAndGet(number);
        }

        @Override
        public boolean tryComplete() {
            return happened && forceComplete();
        }
    }

    private ClientTimeouts() {}

    /** What became of them. */
    public static String run() throws Exception {
        return new ClientTimeouts().watchAll();
    }

    private String watchAll() throws Exception {
        ExecutorService handlers = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> watching = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                int first = thread;
                watching.add(handlers.submit(() -> watchEvery(first)));
            }
            for (Future<?> each : watching) {
                each.get();
            }
            awaitExpiries();
            String result = "expired: " + expired + ", wait: " + purgatory.numDelayed();
            happened = true;
            KEYS.forEach(purgatory::checkAndComplete);
            boolean onceEach = IntStream.range(0, REQUESTS).allMatch(number -> completions.get(number) == 1);
            return result + ", then: " + purgatory.numDelayed() + ", completed once each: " + onceEach + ", watched: "
                    + Math.min(1, purgatory.watched());
        } finally {
            handlers.shutdownNow();
            purgatory.shutdown();
        }
    }

    private void watchEvery(int first) {
        for (int number = first; number < REQUESTS; number += THREADS) {
            Key key = KEYS.get(number / THREADS % KEYS.size());
            purgatory.tryCompleteElseWatch(new Request(number), List.of(key));
        }
    }

    /** The timer's thread runs what is due in order, so the last one comes after all the others. */
    private void awaitExpiries() throws InterruptedException {
        CountDownLatch last = new CountDownLatch(1);
        purgatory.tryCompleteElseWatch(
                new Request(0) {
                    @Override
                    public void onExpiration() {
                        last.countDown();
                    }

                    @Override
                    public void onComplete() {}
                },
                List.of(KEYS.get(0)));
        if (!last.await(1, TimeUnit.MINUTES)) {
            throw new AssertionError("the last request does not expire");
        }
    }
}

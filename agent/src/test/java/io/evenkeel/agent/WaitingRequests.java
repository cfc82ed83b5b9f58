/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.server.purgatory.DelayedOperation;
import org.apache.kafka.server.purgatory.DelayedOperationKey;
import org.apache.kafka.server.purgatory.DelayedOperationPurgatory;

/** A few requests in a purgatory, for any Kafka that a test has loaded. */
public final class WaitingRequests {
    private record Key(String keyLabel) implements DelayedOperationKey {}

    private static final class Request extends DelayedOperation {
        final CountDownLatch timedOut = new CountDownLatch(1);
        volatile boolean ready;

        Request(long delayMs) {
            super(delayMs);
        }

        @Override
        public void onExpiration() {
            timedOut.countDown();
        }

        @Override
        public void onComplete() {}

        @Override
        public boolean tryComplete() {
            return ready && forceComplete();
        }
    }

    private WaitingRequests() {}

    /** What became of them. */
    public static String run() throws Exception {
        DelayedOperationPurgatory<Request> purgatory = new DelayedOperationPurgatory<>("test", 1);
        try {
            Key first = new Key("first");
            Key second = new Key("second");
            Request byEvent = new Request(TimeUnit.HOURS.toMillis(1));
            require(!purgatory.tryCompleteElseWatch(byEvent, List.of(first, second)), "it waits");
            require(purgatory.watched() == 2 && purgatory.numDelayed() == 1, "under two keys, and in the timer");
            require(purgatory.checkAndComplete(first) == 0, "not yet");
            byEvent.ready = true;
            require(purgatory.checkAndComplete(first) == 1 && byEvent.isCompleted(), "now");

            Request byTime = new Request(5);
            require(!purgatory.tryCompleteElseWatch(byTime, List.of(second)), "it waits");
            require(byTime.timedOut.await(1, TimeUnit.MINUTES) && byTime.isCompleted(), "it times out");
            purgatory.checkAndComplete(first);
            int watched = purgatory.watched();
            require(purgatory.checkAndComplete(second) == 0, "both are completed");
            return "completed by its event, then timed out; " + Math.min(watched, 1) + " watched, "
                    + purgatory.numDelayed() + " delayed";
        } finally {
            purgatory.shutdown();
        }
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new AssertionError(what);
        }
    }
}

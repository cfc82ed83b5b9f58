/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.core.Worker;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts fetches that were held into Kafka's queue of requests, on a thread of its own. Thread safe. */
final class HeldFetches {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");

    private final Queue<Runnable> released = new ConcurrentLinkedQueue<>();
    private final Worker worker = new Worker(
            "evenkeel-tiered held fetches",
            nowNanos -> enqueue(),
            (name, failure) -> LOG.error(
                    "{} failed. One consumer that reads from an HDD waits until its client asks"
                            + " again. Others are not affected.",
                    name,
                    failure));

    HeldFetches start() {
        worker.start();
        return this;
    }

    void release(Runnable enqueue) {
        released.add(enqueue);
        worker.wake();
    }

    private long enqueue() {
        for (Runnable next = released.poll(); next != null; next = released.poll()) {
            next.run();
        }
        return Long.MAX_VALUE;
    }
}

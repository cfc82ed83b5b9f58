/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Which batches of one log were refused and are to come again before any other of their producer. Thread safe; never
 * waits, and is told the time.
 */
public final class RefusedBatches {
    /*
     * An idempotent producer numbers its batches, and may have sent more of them before it knows that one was refused.
     * Where a log knows the producer, Kafka refuses those. Where it does not, Kafka lets any number begin: the batch
     * behind would be taken for the first, and the one that was refused be out of order for ever. Kafka keeps the
     * lowest sequence for the same reason while it has a transaction verified.
     *
     * I7: after a batch was refused, nothing of its producer is let in before it, unless the producer has begun anew
     * with another epoch.
     *
     * A producer has at most five batches on the way, which is what Kafka can tell apart: once four were refused for
     * the sake of one, all are back, and it comes next. If another does, then it will not come any more. That happens
     * when the same batch had come on two connections, and was let in on the other one. What a producer never asks for
     * again is forgotten after a while.
     */
    private static final int MOST_BEHIND = 4;
    private static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(5);

    /** By producer id. */
    private final Map<Long, Refused> byProducer = new HashMap<>();

    /** Lets who appends where nothing was refused pass without the lock. */
    private volatile boolean isEmpty = true;

    private static final class Refused {
        private final SequencedBatch batch;
        private final long atNanos;
        private int behind;

        private Refused(SequencedBatch batch, long atNanos) {
            this.batch = batch;
            this.atNanos = atNanos;
        }
    }

    /** The batch was refused, and will come again. */
    public synchronized void refused(SequencedBatch batch, long nowNanos) {
        byProducer.values().removeIf(old -> nowNanos - old.atNanos > KEEP_NANOS);
        byProducer.put(batch.producerId(), new Refused(batch, nowNanos));
        isEmpty = false;
    }

    /**
     * Whether the batch has to be refused as well, because a refused one is to come before it. To be asked once each
     * time that a batch comes: what was refused of its producer is forgotten where it is that one, or where that will
     * not come any more.
     */
    public boolean precede(SequencedBatch batch) {
        return !isEmpty && precedeUnderLock(batch);
    }

    private synchronized boolean precedeUnderLock(SequencedBatch batch) {
        Refused refused = byProducer.get(batch.producerId());
        if (refused == null || batch.producerEpoch() < refused.batch.producerEpoch()) {
            return false; // Kafka lets no older epoch in
        }
        boolean precedes = batch.producerEpoch() == refused.batch.producerEpoch()
                && batch.baseSequence() != refused.batch.baseSequence()
                && refused.behind++ < MOST_BEHIND;
        if (!precedes) {
            byProducer.remove(batch.producerId());
            isEmpty = byProducer.isEmpty();
        }
        return precedes;
    }
}

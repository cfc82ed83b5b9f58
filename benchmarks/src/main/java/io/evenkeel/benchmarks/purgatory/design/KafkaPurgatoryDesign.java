/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import java.util.List;
import org.apache.kafka.server.purgatory.DelayedOperation;
import org.apache.kafka.server.purgatory.DelayedOperationPurgatory;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;

/** Kafka's purgatory, stock's or ours by the class path. */
final class KafkaPurgatoryDesign implements PurgatoryDesign {
    private final DelayedOperationPurgatory<Operation> purgatory = new DelayedOperationPurgatory<>("Benchmark", 1);

    private static final class Operation extends DelayedOperation implements Waiting {
        private final Runnable whenExpired;
        private volatile boolean allowed;

        Operation(long timeoutMs, Runnable whenExpired) {
            super(timeoutMs);
            this.whenExpired = whenExpired;
        }

        @Override
        public boolean tryComplete() {
            return allowed && forceComplete();
        }

        @Override
        public void onComplete() {}

        @Override
        public void onExpiration() {
            whenExpired.run();
        }

        @Override
        public boolean complete() {
            return forceComplete();
        }

        @Override
        public void allow() {
            allowed = true;
        }
    }

    @Override
    public Waiting watch(List<TopicPartitionOperationKey> keys, long timeoutMs, Runnable whenExpired) {
        Operation operation = new Operation(timeoutMs, whenExpired);
        purgatory.tryCompleteElseWatch(operation, keys);
        return operation;
    }

    @Override
    public int checkAndComplete(TopicPartitionOperationKey key) {
        return purgatory.checkAndComplete(key);
    }

    @Override
    public int watched() {
        return purgatory.watched();
    }

    @Override
    public void close() {
        try {
            purgatory.shutdown();
        } catch (Exception e) {
            throw new IllegalStateException("the purgatory did not shut down", e);
        }
    }
}

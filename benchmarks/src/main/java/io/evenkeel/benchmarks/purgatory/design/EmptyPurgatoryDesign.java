/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory.design;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.server.purgatory.TopicPartitionOperationKey;

/**
 * Watches no request and lets none expire: the cost is that of the load itself, with the data that its requests hold.
 */
final class EmptyPurgatoryDesign implements PurgatoryDesign {
    private static final class Request extends AtomicBoolean implements Waiting {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("unused") // occupies memory
        private final transient Runnable whenExpired;

        Request(Runnable whenExpired) {
            this.whenExpired = whenExpired;
        }

        @Override
        public boolean complete() {
            return compareAndSet(false, true);
        }

        @Override
        public void allow() {}
    }

    @Override
    public Waiting watch(List<TopicPartitionOperationKey> keys, long timeoutMs, Runnable whenExpired) {
        return new Request(whenExpired);
    }

    @Override
    public int checkAndComplete(TopicPartitionOperationKey key) {
        return 0;
    }

    @Override
    public int watched() {
        return 0;
    }

    @Override
    public boolean expires() {
        return false;
    }

    @Override
    public void close() {}
}

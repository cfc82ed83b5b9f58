/* SPDX-License-Identifier: Apache-2.0 */
package org.apache.kafka.server.purgatory;

import java.util.List;

/**
 * The purgatory of {@code benchmarks/kafka-purgatory}'s floor, in place of Kafka's: it completes each request at once,
 * so nothing ever waits. What the program then costs is its own.
 */
public final class DelayedOperationPurgatory<T extends DelayedOperation> {
    public DelayedOperationPurgatory(String name, int brokerId, int purgeInterval) {}

    public <K extends DelayedOperationKey> boolean tryCompleteElseWatch(T request, List<K> keys) {
        return request.forceComplete();
    }

    public void shutdown() {}
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.TopicPartition;

/** A part of some partitions that a consumer reads again and again. Immutable. */
record LagPartitions(List<TopicPartition> partitions, long from, long to) {
    void begin(Consumer<?, ?> consumer) {
        partitions.forEach(partition -> consumer.seek(partition, from));
    }

    /** To be called between polls. */
    void goOn(Consumer<?, ?> consumer) {
        for (TopicPartition partition : partitions) {
            if (consumer.position(partition) >= to) {
                consumer.seek(partition, from);
            }
        }
    }

    /** These and others, for {@link Consumer#assign}. */
    List<TopicPartition> and(Collection<TopicPartition> others) {
        return Stream.concat(partitions.stream(), others.stream()).toList();
    }
}

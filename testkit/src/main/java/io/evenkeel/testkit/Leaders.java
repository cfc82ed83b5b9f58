/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.util.Collection;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Waits for new partitions. Stateless. */
public final class Leaders {
    private Leaders() {}

    /**
     * Returns when each partition has a leader that answers. A topic is announced before its partitions can be written
     * to, and what a producer sends in between may be accepted out of order by a partition that does not know it yet.
     *
     * @throws org.apache.kafka.common.errors.TimeoutException after five minutes
     */
    public static void await(Properties client, Collection<TopicPartition> partitions) {
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        Properties patient = new Properties();
        patient.putAll(client);
        patient.put("default.api.timeout.ms", "300000");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(patient, bytes, bytes)) {
            consumer.endOffsets(partitions);
        }
    }
}

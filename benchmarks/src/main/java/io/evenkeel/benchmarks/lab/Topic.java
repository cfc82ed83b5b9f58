/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import io.evenkeel.testkit.Leaders;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.TopicPartition;

/** A topic of one replica. Immutable. */
public record Topic(String name, int partitions) {
    /** With more, a broker on a slow disk is so busy that its controller fences it. */
    private static final int MOST_AT_ONCE = 250;

    public List<TopicPartition> topicPartitions() {
        return IntStream.range(0, partitions)
                .mapToObj(partition -> new TopicPartition(name, partition))
                .toList();
    }

    /** Creates the topic; returns when each partition has a leader that answers. */
    public void create(Properties client, Map<String, String> configs) throws ExecutionException, InterruptedException {
        int made = Math.min(partitions, MOST_AT_ONCE);
        NewTopic topic = new NewTopic(name, Optional.of(made), Optional.of((short) 1)).configs(configs);
        try (Admin admin = Admin.create(client)) {
            admin.createTopics(List.of(topic)).all().get();
            Leaders.await(client, topicPartitions().subList(0, made));
            while (made < partitions) {
                made = Math.min(partitions, made + MOST_AT_ONCE);
                admin.createPartitions(Map.of(name, NewPartitions.increaseTo(made)))
                        .all()
                        .get();
                Leaders.await(client, topicPartitions().subList(0, made));
            }
        }
    }

    public void create(Properties client) throws ExecutionException, InterruptedException {
        create(client, Map.of());
    }

    public void delete(Properties client) throws ExecutionException, InterruptedException {
        try (Admin admin = Admin.create(client)) {
            admin.deleteTopics(List.of(name)).all().get();
        }
    }
}

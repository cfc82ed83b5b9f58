/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Arguments;
import io.evenkeel.benchmarks.lab.DueTime;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Topic;
import io.evenkeel.core.RateLimiter;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Consumers that lag: they read the oldest part of a backlog again and again, each its own share of every partition or
 * all the same, at a bounded rate together. They have a JVM of their own, so that its garbage collector stops no other
 * client.
 *
 * <p>For each line on its input the JVM prints how many bytes the consumers have received. It ends when its input ends.
 */
public final class Laggards {
    private static final long BURST_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final Duration POLL = Duration.ofMillis(100);
    private static final Set<String> ARGUMENTS = Set.of(
            "--client", "--topics", "--partitions", "--records", "--consumers", "--same-data", "--bytes-per-second");

    private final Map<String, String> client;
    private final List<TopicPartition> partitions;
    private final long records;
    private final int consumers;
    private final boolean sameData;
    private final RateLimiter limiter;
    private final LongAdder bytes = new LongAdder();

    private Laggards(Arguments arguments) {
        this.client = arguments.properties("--client");
        this.partitions = arguments.all("--topics").stream()
                .flatMap(topic -> new Topic(topic, arguments.number("--partitions", 0)).topicPartitions().stream())
                .toList();
        this.records = arguments.number("--records", 0);
        this.consumers = arguments.number("--consumers", 0);
        this.sameData = arguments.is("--same-data");
        this.limiter = new RateLimiter(arguments.number("--bytes-per-second", 0), BURST_NANOS);
    }

    public static void main(String[] args) throws IOException {
        Laggards laggards = new Laggards(new Arguments(args, ARGUMENTS));
        for (int i = 0; i < laggards.consumers; i++) {
            int share = i;
            Thread thread = new Thread(() -> laggards.read(share), "laggard-" + share);
            thread.setDaemon(true);
            thread.setUncaughtExceptionHandler((failed, error) -> {
                error.printStackTrace();
                System.exit(1);
            });
            thread.start();
        }
        BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        while (questions.readLine() != null) {
            System.out.println(laggards.bytes.sum());
        }
        System.exit(0);
    }

    private void read(int share) {
        LagPartitions mine = sameData
                ? new LagPartitions(partitions, 0, records)
                : new LagPartitions(partitions, records * share / consumers, records * (share + 1) / consumers);
        Properties properties = new Properties();
        properties.putAll(client);
        properties.put("receive.buffer.bytes", LabBroker.AS_LARGE_AS_NEEDED);
        properties.put("check.crcs", "false");
        properties.put("max.poll.records", "10000");
        try (KafkaConsumer<byte[], Long> consumer =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new DueTime())) {
            consumer.assign(partitions);
            mine.begin(consumer);
            double receivedBytes = 0;
            while (true) {
                mine.goOn(consumer);
                pay(consumer);
                receivedBytes = countReceived(consumer, receivedBytes);
            }
        }
    }

    /** What the consumer throws away when it goes back to the beginning of its share was read for it as well. */
    private double countReceived(KafkaConsumer<byte[], Long> consumer, double countedBytes) {
        double receivedBytes = consumer.metrics().entrySet().stream()
                .filter(each -> each.getKey().group().equals("consumer-metrics")
                        && each.getKey().name().equals("incoming-byte-total"))
                .mapToDouble(each -> (double) each.getValue().metricValue())
                .sum();
        bytes.add((long) (receivedBytes - countedBytes));
        return receivedBytes;
    }

    private void pay(KafkaConsumer<byte[], Long> consumer) {
        long readBytes = 0;
        for (ConsumerRecord<byte[], Long> record : consumer.poll(POLL)) {
            readBytes += record.serializedValueSize();
        }
        long dueNanos = System.nanoTime();
        dueNanos += limiter.reserve(readBytes, dueNanos);
        for (long leftNanos; (leftNanos = dueNanos - System.nanoTime()) > 0; ) {
            LockSupport.parkNanos(leftNanos);
        }
    }
}

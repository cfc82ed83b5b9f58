/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Repeated;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Two idempotent producers, a transactional one and a consumer that work on one topic from here on, whatever is done to
 * the cluster. At the end each record that was acknowledged must be there once, in its writer's order, and nothing of
 * what was aborted. One thread drives it.
 */
final class ClusterLoad implements AutoCloseable {
    static final int PARTITIONS = 3;

    private static final int TRANSACTION_WRITER = 2;
    private static final long PAUSE_MS = 20;
    /** The steps that each client must complete before the test goes on. */
    private static final int MANY = 300;

    private static final int MANY_TRANSACTIONS = 5;

    private final TieredCluster cluster;
    private final String topic;
    private final List<LoadWriter> writers;
    private final TransactionWriter transactions;
    private final LoadReader reader;
    private final List<Repeated> running;

    /** Creates the topic with a leader on each broker and the given number of replicas; 2 must be in sync. */
    ClusterLoad(TieredCluster cluster, String topic, int replicas) {
        this.cluster = cluster;
        this.topic = topic;
        cluster.topics().create(topic, rotated(0, replicas), Map.of("min.insync.replicas", "2"));
        cluster.awaitInSync(topic);
        Properties client = cluster.client();
        this.writers = IntStream.range(0, TRANSACTION_WRITER)
                .mapToObj(id -> new LoadWriter(client, topic, PARTITIONS, id))
                .toList();
        this.transactions = new TransactionWriter(client, topic, PARTITIONS, TRANSACTION_WRITER);
        this.reader = newReader();
        this.running = List.of(
                new Repeated("writer 0", PAUSE_MS, writers.get(0)::writeSome),
                new Repeated("writer 1", PAUSE_MS, writers.get(1)::writeSome),
                new Repeated("transactions", PAUSE_MS, transactions::writeOne),
                new Repeated("reader", 0, reader::readSome));
    }

    /** Replicas of each partition: one after the other, from another broker on for each and for each shift. */
    static Map<Integer, List<Integer>> rotated(int shift, int replicas) {
        return IntStream.range(0, PARTITIONS)
                .boxed()
                .collect(Collectors.toMap(
                        partition -> partition,
                        partition -> IntStream.range(0, replicas)
                                .mapToObj(i -> (partition + shift + i) % TieredCluster.SIZE + 1)
                                .toList()));
    }

    private LoadReader newReader() {
        return new LoadReader(cluster.client(), topic, PARTITIONS, TRANSACTION_WRITER);
    }

    String topic() {
        return topic;
    }

    int partitions() {
        return PARTITIONS;
    }

    /** Waits until everyone has got on. */
    void awaitProgress() {
        List<Long> acknowledged = writers.stream().map(LoadWriter::acknowledged).toList();
        int ended = transactions.outcomes().size();
        long read = reader.count();
        await("progress of " + topic).atMost(TieredCluster.DEADLINE).until(() -> {
            running.forEach(Repeated::throwIfFailed);
            return IntStream.range(0, writers.size())
                            .allMatch(i -> writers.get(i).acknowledged() > acknowledged.get(i) + MANY)
                    && transactions.outcomes().size() > ended + MANY_TRANSACTIONS
                    && reader.count() > read + MANY;
        });
    }

    /**
     * Ends the writing, and checks all of it: as it was read meanwhile, as it is read now, and on each replica's disks.
     */
    void endAndVerify() {
        running.forEach(Repeated::close);
        List<Long> sent = writers.stream().map(LoadWriter::flush).toList();
        transactions.end();
        verify(reader, sent);
        cluster.awaitInSync(topic);
        cluster.awaitEqualReplicas(topic);
        try (LoadReader again = newReader()) {
            verify(again, sent);
        }
        System.out.printf(
                "%s: %d records read, sent to each partition %s, %d transactions of which %d doubtful%n",
                topic,
                reader.count(),
                sent,
                transactions.outcomes().size(),
                transactions.outcomes().values().stream()
                        .filter(TransactionWriter.Outcome.EITHER::equals)
                        .count());
    }

    private void verify(LoadReader read, List<Long> sent) {
        Delivered delivered = read.readToEnds();
        for (int writer = 0; writer < sent.size(); writer++) {
            delivered.demand(writer, sent.get(writer));
        }
        delivered.demandTransactions(transactions.outcomes());
    }

    /** Ends the clients that still run. */
    @Override
    public void close() {
        writers.forEach(LoadWriter::close);
        transactions.close();
        running.forEach(Repeated::end);
        reader.close();
    }
}

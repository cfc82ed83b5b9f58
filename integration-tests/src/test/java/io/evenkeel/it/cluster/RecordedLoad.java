/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import static org.awaitility.Awaitility.await;

import io.evenkeel.it.Repeated;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Two idempotent producers, two transactional ones that also read, a consumer and one that reads all of it again and
 * again: from here on they work on one topic, and each operation is in a {@link History}. One thread drives it.
 */
final class RecordedLoad implements AutoCloseable {
    private static final int EACH = 2;
    private static final long PAUSE_MS = 20;
    /** A history has all that each poll finds. */
    private static final long PAUSE_OF_READER_OF_ALL_MS = 10_000;

    /** The operations that each producer must complete before the test goes on. */
    private static final int MANY = 100;

    private final TieredCluster cluster;
    private final String topic;
    private final History history;
    private final List<RecordedWriter> writers;
    private final List<RecordedTransactions> transactions;
    private final RecordedReader reader;
    private final List<Repeated> producing;
    private final List<Repeated> reading;

    /** Creates the topic with a leader and a replica on each broker; 2 must be in sync. */
    RecordedLoad(TieredCluster cluster, String topic) {
        this.cluster = cluster;
        this.topic = topic;
        long startNanos = System.nanoTime();
        this.history = new History(() -> System.nanoTime() - startNanos);
        int replicas = TieredCluster.SIZE;
        cluster.topics().create(topic, ClusterLoad.rotated(0, replicas), Map.of("min.insync.replicas", "2"));
        cluster.awaitInSync(topic);
        Properties client = cluster.client();
        this.writers = IntStream.range(0, EACH)
                .mapToObj(id -> new RecordedWriter(history, client, topic, ClusterLoad.PARTITIONS))
                .toList();
        this.transactions = IntStream.range(0, EACH)
                .mapToObj(id -> new RecordedTransactions(history, client, topic, ClusterLoad.PARTITIONS, id))
                .toList();
        this.reader = newReader();
        this.producing = Stream.concat(
                        writers.stream().map(writer -> new Repeated("writer", PAUSE_MS, writer::writeSome)),
                        transactions.stream().map(some -> new Repeated("transactions", PAUSE_MS, some::runOne)))
                .toList();
        this.reading = List.of(
                new Repeated("reader", PAUSE_MS, reader::readSome),
                new Repeated("reader of all", PAUSE_OF_READER_OF_ALL_MS, this::readAll));
    }

    private RecordedReader newReader() {
        return new RecordedReader(history, cluster.client(), topic, ClusterLoad.PARTITIONS);
    }

    private void readAll() {
        try (RecordedReader all = newReader()) {
            all.readToEnds();
        }
    }

    String topic() {
        return topic;
    }

    /** Waits until everyone has got on. */
    void awaitProgress() {
        List<Long> before = producing.stream().map(Repeated::count).toList();
        await("progress of " + topic).atMost(TieredCluster.DEADLINE).until(() -> {
            producing.forEach(Repeated::throwIfFailed);
            reading.forEach(Repeated::throwIfFailed);
            return IntStream.range(0, producing.size())
                    .allMatch(i -> producing.get(i).count() > before.get(i) + MANY);
        });
    }

    /** Ends the writing, reads all of it once more, and writes the history to a file. */
    void endAndWrite(Path file) throws IOException {
        producing.forEach(Repeated::close);
        transactions.forEach(RecordedTransactions::end);
        reading.forEach(Repeated::close);
        cluster.awaitInSync(topic);
        readAll();
        history.write(file);
    }

    /** Ends the clients that still run. */
    @Override
    public void close() {
        writers.forEach(RecordedWriter::close);
        producing.forEach(Repeated::end);
        reading.forEach(Repeated::end);
        transactions.forEach(RecordedTransactions::close);
        reader.close();
    }
}

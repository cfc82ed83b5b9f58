/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Latencies;
import io.evenkeel.benchmarks.lab.Threads;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * Consumers that each wait for new records of one partition. Each has a connection of its own and always one fetch in
 * flight; one thread serves all of them. The value of a record begins with the instant at which it was due.
 */
final class LongPolls implements AutoCloseable {
    private static final short VERSION = 12; // the last version that names topics
    private static final int MAX_BYTES = 1 << 20;

    private final int maxWaitMs;
    private final Selector selector = Selector.open();
    private final LongAdder responses = new LongAdder();
    private final Latencies received = Latencies.paused();
    private final Thread thread = new Thread(this::run, "long-polls");
    private volatile boolean closed;
    private volatile @Nullable Exception failure;

    /**
     * Connects the consumers, and spreads them evenly over the partitions.
     *
     * @param ends the end offset of each partition
     */
    LongPolls(int port, int consumers, Map<TopicPartition, Long> ends, int maxWaitMs) throws IOException {
        this.maxWaitMs = maxWaitMs;
        List<TopicPartition> partitions = List.copyOf(ends.keySet());
        for (int i = 0; i < consumers; i++) {
            TopicPartition partition = partitions.get(i % partitions.size());
            new Poll(port, partition, ends.getOrDefault(partition, 0L)).fetch();
        }
        thread.start();
    }

    /** One consumer. */
    private final class Poll {
        private final SocketChannel channel;
        private final TopicPartition partition;
        private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
        private @Nullable ByteBuffer response;
        private RequestHeader header = new RequestHeader(ApiKeys.FETCH, VERSION, "", 0);
        private long offset;

        Poll(int port, TopicPartition partition, long offset) throws IOException {
            this.partition = partition;
            this.offset = offset;
            this.channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ, this);
        }

        void fetch() throws IOException {
            FetchRequest request = FetchRequest.Builder.forConsumer(
                            VERSION,
                            maxWaitMs,
                            1,
                            Map.of(
                                    partition,
                                    new FetchRequest.PartitionData(
                                            Uuid.ZERO_UUID, offset, -1, MAX_BYTES, Optional.empty())))
                    .build(VERSION);
            header = new RequestHeader(request.apiKey(), VERSION, "long-poll", header.correlationId() + 1);
            ByteBuffer bytes = request.serializeWithHeader(header);
            ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES + bytes.remaining());
            framed.putInt(bytes.remaining()).put(bytes).flip();
            // No other request is in flight on this connection, so the socket has room.
            if (channel.write(framed) < framed.limit()) {
                throw new IOException("no room for a request in a socket without another request in flight");
            }
        }

        /** Reads the bytes that have arrived; sends the next fetch when a response is complete. */
        void read() throws IOException {
            ByteBuffer body = response;
            if (body == null) {
                fill(length);
                if (length.hasRemaining()) {
                    return;
                }
                body = ByteBuffer.allocate(length.flip().getInt());
                length.clear();
                response = body;
            }
            fill(body);
            if (!body.hasRemaining()) {
                response = null;
                take(body.flip());
                fetch();
            }
        }

        private void fill(ByteBuffer buffer) throws IOException {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the broker has closed a connection");
            }
        }

        private void take(ByteBuffer body) {
            FetchResponse fetched = (FetchResponse) AbstractResponse.parseResponse(body, header);
            PartitionData data = fetched.data().responses().get(0).partitions().get(0);
            Errors.forCode(data.errorCode()).maybeThrow();
            responses.increment();
            for (Record each : FetchResponse.recordsOrFail(data).records()) {
                received.record(
                        System.nanoTime() - each.value().getLong(each.value().position()));
                offset = each.offset() + 1;
            }
        }
    }

    private void run() {
        try {
            while (!closed) {
                selector.select(key -> read((Poll) key.attachment()));
            }
        } catch (IOException | RuntimeException e) {
            failure = e;
        }
    }

    private static void read(Poll poll) {
        try {
            poll.read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Responses to all consumers since the beginning, with and without records. */
    long responses() {
        return responses.sum();
    }

    /** From due to received. */
    Latencies received() {
        return received;
    }

    /**
     * Ends all connections.
     *
     * @throws IllegalStateException when a consumer has failed
     */
    @Override
    public void close() throws IOException {
        closed = true;
        selector.wakeup();
        Threads.join(thread);
        for (SelectionKey key : selector.keys()) {
            key.channel().close();
        }
        selector.close();
        Exception failed = failure;
        if (failed != null) {
            throw new IllegalStateException("a consumer has failed", failed);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import io.evenkeel.testkit.Broker;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.DeleteRecordsRequestData;
import org.apache.kafka.common.message.DeleteRecordsResponseData;
import org.apache.kafka.common.message.DeleteTopicsRequestData;
import org.apache.kafka.common.message.FetchResponseData;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderPartition;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopic;
import org.apache.kafka.common.message.OffsetForLeaderEpochRequestData.OffsetForLeaderTopicCollection;
import org.apache.kafka.common.message.ProduceRequestData;
import org.apache.kafka.common.message.ProduceRequestData.PartitionProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceData;
import org.apache.kafka.common.message.ProduceRequestData.TopicProduceDataCollection;
import org.apache.kafka.common.message.ProduceResponseData.PartitionProduceResponse;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.DeleteRecordsRequest;
import org.apache.kafka.common.requests.DeleteRecordsResponse;
import org.apache.kafka.common.requests.DeleteTopicsRequest;
import org.apache.kafka.common.requests.DeleteTopicsResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochRequest;
import org.apache.kafka.common.requests.OffsetsForLeaderEpochResponse;
import org.apache.kafka.common.requests.ProduceRequest;
import org.apache.kafka.common.requests.ProduceResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.jspecify.annotations.Nullable;

/**
 * One connection to one broker, for requests that Kafka's clients cannot send: a batch byte by byte as the broker
 * stores it, also without timestamps, and the requests of a follower. Not thread safe.
 */
public final class RawClient implements AutoCloseable {
    private static final short PRODUCE_VERSION = 12; // the last that names topics
    private static final short EPOCH_VERSION = 4;
    private static final short FETCH_VERSION = 12; // likewise
    private static final short DELETE_TOPICS_VERSION = 5; // likewise
    private static final short DELETE_RECORDS_VERSION = 2;
    private static final int TIMEOUT_MS = 30_000;

    private final Socket socket;
    private int correlation;
    private @Nullable RequestHeader asked;

    public RawClient(Broker broker) {
        this(broker.config().port());
    }

    /** Connected to one of the ports of a broker or a controller. */
    public RawClient(int port) {
        try {
            this.socket = new Socket("localhost", port);
            socket.setSoTimeout(2 * TIMEOUT_MS);
            socket.setTcpNoDelay(true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Appends a batch to a partition that the broker leads; answers the offset of its first record. */
    public long append(String topic, int partition, short acks, MemoryRecords batch) {
        return append(topic, partition, acks, TIMEOUT_MS, batch);
    }

    /**
     * As {@link #append(String, int, short, MemoryRecords)}, with a timeout.
     *
     * @param timeoutMs how long the broker may wait for the acknowledgements
     */
    public long append(String topic, int partition, short acks, int timeoutMs, MemoryRecords batch) {
        PartitionProduceData partitionData =
                new PartitionProduceData().setIndex(partition).setRecords(batch);
        TopicProduceData topicData = new TopicProduceData().setName(topic).setPartitionData(List.of(partitionData));
        ProduceRequestData data = new ProduceRequestData()
                .setAcks(acks)
                .setTimeoutMs(timeoutMs)
                .setTopicData(new TopicProduceDataCollection(List.of(topicData).iterator()));
        ProduceResponse response =
                (ProduceResponse) ask(ProduceRequest.builder(data).build(PRODUCE_VERSION));
        PartitionProduceResponse answer = response.data()
                .responses()
                .iterator()
                .next()
                .partitionResponses()
                .get(0);
        if (answer.errorCode() != Errors.NONE.code()) {
            throw Errors.forCode(answer.errorCode()).exception(topic + "-" + partition + ": " + answer.errorMessage());
        }
        return answer.baseOffset();
    }

    /** Where each leader epoch that the partition knows of has ended, up to the present one. */
    public List<Long> epochEnds(String topic, int partition, int presentEpoch) {
        List<Long> ends = new ArrayList<>();
        for (int epoch = 0; epoch <= presentEpoch; epoch++) {
            OffsetForLeaderTopic asked = new OffsetForLeaderTopic()
                    .setTopic(topic)
                    .setPartitions(List.of(new OffsetForLeaderPartition()
                            .setPartition(partition)
                            .setCurrentLeaderEpoch(-1)
                            .setLeaderEpoch(epoch)));
            OffsetForLeaderTopicCollection topics =
                    new OffsetForLeaderTopicCollection(List.of(asked).iterator());
            OffsetsForLeaderEpochResponse response = (OffsetsForLeaderEpochResponse)
                    ask(OffsetsForLeaderEpochRequest.Builder.forConsumer(topics).build(EPOCH_VERSION));
            ends.add(response.data()
                    .topics()
                    .iterator()
                    .next()
                    .partitions()
                    .get(0)
                    .endOffset());
        }
        return ends.stream().distinct().toList();
    }

    /** Sends a fetch request for a partition from {@code offset} on; {@link #fetched} receives the response. */
    public void fetch(String topic, int partition, long offset, int maxWaitMs) {
        fetch(topic, Map.of(partition, offset), 1, maxWaitMs);
    }

    /**
     * As {@link #fetch(String, int, long, int)}, for several partitions and at least {@code minBytes} bytes in total.
     */
    public void fetch(String topic, Map<Integer, Long> offsets, int minBytes, int maxWaitMs) {
        Map<TopicPartition, FetchRequest.PartitionData> partitions = new HashMap<>();
        offsets.forEach((partition, offset) -> partitions.put(
                new TopicPartition(topic, partition),
                new FetchRequest.PartitionData(Uuid.ZERO_UUID, offset, 0, 1 << 20, Optional.empty())));
        asked = send(FetchRequest.Builder.forConsumer(FETCH_VERSION, maxWaitMs, minBytes, partitions)
                .build(FETCH_VERSION));
    }

    /** How many bytes of records the answer to {@link #fetch} has. */
    public int fetched() {
        FetchResponse response = (FetchResponse) receive(Objects.requireNonNull(asked, "nothing was asked for"));
        int bytes = 0;
        for (FetchResponseData.PartitionData data :
                response.data().responses().get(0).partitions()) {
            Errors.forCode(data.errorCode()).maybeThrow();
            bytes += FetchResponse.recordsSize(data);
        }
        return bytes;
    }

    /** Waits for the answer to {@link #fetch}, whatever it is. */
    public void awaitAnswer() {
        receive(Objects.requireNonNull(asked, "nothing was asked for"));
    }

    /** Has the controller delete a topic; the answer comes when it has decided so. */
    public void delete(String topic) {
        DeleteTopicsRequestData data =
                new DeleteTopicsRequestData().setTopicNames(List.of(topic)).setTimeoutMs(TIMEOUT_MS);
        DeleteTopicsResponse response =
                (DeleteTopicsResponse) ask(new DeleteTopicsRequest.Builder(data).build(DELETE_TOPICS_VERSION));
        Errors.forCode(response.data().responses().iterator().next().errorCode())
                .maybeThrow();
    }

    /** Deletes the records before an offset on all replicas in sync; returns the new log start offset. */
    public long deleteRecordsBefore(String topic, int partition, long offset, int timeoutMs) {
        DeleteRecordsRequestData data = new DeleteRecordsRequestData()
                .setTimeoutMs(timeoutMs)
                .setTopics(List.of(new DeleteRecordsRequestData.DeleteRecordsTopic()
                        .setName(topic)
                        .setPartitions(List.of(new DeleteRecordsRequestData.DeleteRecordsPartition()
                                .setPartitionIndex(partition)
                                .setOffset(offset)))));
        DeleteRecordsResponse response =
                (DeleteRecordsResponse) ask(new DeleteRecordsRequest.Builder(data).build(DELETE_RECORDS_VERSION));
        DeleteRecordsResponseData.DeleteRecordsPartitionResult answer = response.data()
                .topics()
                .iterator()
                .next()
                .partitions()
                .iterator()
                .next();
        Errors.forCode(answer.errorCode()).maybeThrow();
        return answer.lowWatermark();
    }

    private AbstractResponse ask(AbstractRequest request) {
        return receive(send(request));
    }

    private RequestHeader send(AbstractRequest request) {
        RequestHeader header = new RequestHeader(request.apiKey(), request.version(), "raw", correlation++);
        ByteBuffer bytes = request.serializeWithHeader(header);
        try {
            ByteBuffer framed = ByteBuffer.allocate(Integer.BYTES + bytes.remaining());
            framed.putInt(bytes.remaining()).put(bytes);
            socket.getOutputStream().write(framed.array());
            return header;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private AbstractResponse receive(RequestHeader header) {
        try {
            DataInputStream in = new DataInputStream(socket.getInputStream());
            byte[] answer = new byte[in.readInt()];
            in.readFully(answer);
            return AbstractResponse.parseResponse(ByteBuffer.wrap(answer), header);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

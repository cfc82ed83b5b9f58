/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.Records;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.message.FetchResponseData.PartitionData;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.record.internal.Record;
import org.apache.kafka.common.requests.AbstractResponse;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.FetchResponse;
import org.apache.kafka.common.requests.RequestHeader;
import org.apache.kafka.common.utils.Utils;

/**
 * A consumer that asks for megabytes and takes them from its socket a little at a time, so that for seconds the broker
 * has a send under way. Checks the value of each record. One thread at a time.
 */
final class SlowReader {
    private static final short VERSION = 12; // the last that names topics
    private static final int FETCH_BYTES = 3 << 20;
    private static final int WINDOW_BYTES = 16 << 10;
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(30);
    private static final int SILENCE_MS = 30_000;

    private final Broker broker;
    private final TopicPartition partition;
    private final Records values;
    private final AtomicLong whole = new AtomicLong();
    private final AtomicLong broken = new AtomicLong();

    /** @param values of the records, by their offset */
    SlowReader(Broker broker, Records values) {
        this.broker = broker;
        this.partition = new TopicPartition(values.topic(), 0);
        this.values = values;
    }

    /** Fetches once from there on, on a connection of its own; a broker that ends it early is counted. */
    void fetch(long offset) throws IOException {
        try (Socket socket = new Socket()) {
            socket.setReceiveBufferSize(WINDOW_BYTES);
            socket.setSoTimeout(SILENCE_MS);
            socket.connect(new InetSocketAddress("localhost", broker.config().port()));
            FetchRequest request = FetchRequest.Builder.forConsumer(
                            VERSION,
                            0,
                            1,
                            Map.of(
                                    partition,
                                    new FetchRequest.PartitionData(
                                            Uuid.ZERO_UUID, offset, 0, FETCH_BYTES, Optional.empty())))
                    .build(VERSION);
            RequestHeader header = new RequestHeader(request.apiKey(), VERSION, "slow", 0);
            ByteBuffer asked = request.serializeWithHeader(header);
            socket.getOutputStream()
                    .write(ByteBuffer.allocate(Integer.BYTES)
                            .putInt(asked.remaining())
                            .array());
            socket.getOutputStream().write(Utils.toArray(asked));
            check((FetchResponse) AbstractResponse.parseResponse(ByteBuffer.wrap(readSlowly(socket)), header), offset);
        } catch (EOFException | SocketException endedByTheBroker) {
            broken.incrementAndGet();
        }
    }

    private static byte[] readSlowly(Socket socket) throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        byte[] answer = new byte[in.readInt()];
        for (int read = 0; read < answer.length; ) {
            int bytes = Math.min(WINDOW_BYTES, answer.length - read);
            in.readFully(answer, read, bytes);
            read += bytes;
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return answer;
    }

    /** Nothing is no failure: the topic may be gone, its beginning deleted, or its leader elsewhere. */
    private void check(FetchResponse response, long offset) {
        PartitionData answer = response.data().responses().get(0).partitions().get(0);
        if (answer.errorCode() != Errors.NONE.code()) {
            return;
        }
        for (Record found : FetchResponse.recordsOrFail(answer).records()) {
            if (!Arrays.equals(values.value(0, found.offset()), Utils.toArray(found.value()))) {
                throw new AssertionError(partition + ", read from " + offset + ": the record at " + found.offset()
                        + " is not what was written");
            }
        }
        whole.incrementAndGet();
    }

    /** How many responses with records came whole. */
    long whole() {
        return whole.get();
    }

    /** How many connections the broker closed before all was sent. */
    long broken() {
        return broken.get();
    }
}

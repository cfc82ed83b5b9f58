/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static io.evenkeel.agent.HookPoint.method;

import java.util.List;
import java.util.stream.Stream;

/** Where the SSD tier meets Kafka's network threads and request handlers: reads from the HDDs. Stateless. */
final class ColdReadPoints {
    private static final String NETWORK = "org.apache.kafka.common.network.";
    private static final String LOG_SEGMENT = "org.apache.kafka.storage.internals.log.LogSegment";
    private static final String TRANSFER = "(Ljava/nio/channels/FileChannel;JJ)J";
    private static final HookPoint.Field KEY = new HookPoint.Field("key", "Ljava/nio/channels/SelectionKey;");

    private ColdReadPoints() {}

    static List<HookPoint> all() {
        return List.of(
                new HookPoint(
                        method(NETWORK + "PlaintextTransportLayer", "transferFrom", TRANSFER),
                        ColdReadAdvice.SendPlaintext.class,
                        "puts a response aside whose bytes have to be read from the HDD, so that its network thread can"
                                + " serve other clients meanwhile",
                        KEY),
                new HookPoint(
                        method(NETWORK + "SslTransportLayer", "transferFrom", TRANSFER),
                        ColdReadAdvice.SendEncrypted.class,
                        "does the same on encrypted connections",
                        KEY,
                        new HookPoint.Field("netWriteBuffer", "Ljava/nio/ByteBuffer;")),
                new HookPoint(
                        method(NETWORK + "Selector", "poll", "(J)V"),
                        ColdReadAdvice.Poll.class,
                        "takes up responses whose bytes have been read",
                        new HookPoint.Field("nioSelector", "Ljava/nio/channels/Selector;")),
                new HookPoint(
                        method(
                                LOG_SEGMENT,
                                "read",
                                "(JILjava/util/Optional;Z)Lorg/apache/kafka/storage/internals/log/FetchDataInfo;"),
                        ColdReadAdvice.Headers.class,
                        "lets a fetch find its position in what is read for its response anyway"),
                new HookPoint(
                        findOffsetByTimestamp(),
                        ColdReadAdvice.Headers.class,
                        "does the same for a lookup by timestamp"),
                new HookPoint(
                        sendRequest(),
                        ColdReadAdvice.SendRequest.class,
                        "holds a fetch while half of the request handlers wait for an HDD, if the last one of its client"
                                + " made one wait"),
                new HookPoint(handle(), ColdReadAdvice.Handle.class, "hands the next such fetch over"));
    }

    /** It takes one more argument since 4.4. */
    private static List<HookPoint.Method> findOffsetByTimestamp() {
        return Stream.of("(JJ)Ljava/util/Optional;", "(JJI)Ljava/util/Optional;")
                .map(descriptor -> new HookPoint.Method(LOG_SEGMENT, false, "findOffsetByTimestamp", descriptor))
                .toList();
    }

    private static List<HookPoint.Method> sendRequest() {
        return withRequest("kafka.network.RequestChannel", "sendRequest", "");
    }

    private static List<HookPoint.Method> handle() {
        return withRequest("kafka.server.KafkaApis", "handle", "Lorg/apache/kafka/server/common/RequestLocal;");
    }

    /** {@code Request} moved in 4.4. */
    private static List<HookPoint.Method> withRequest(String owner, String method, String more) {
        return Stream.of("kafka/network/RequestChannel$Request", "org/apache/kafka/network/Request")
                .map(request -> new HookPoint.Method(owner, false, method, "(L" + request + ";" + more + ")V"))
                .toList();
    }
}

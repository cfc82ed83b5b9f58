/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.lang.invoke.MethodType.methodType;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.regex.Pattern;
import org.apache.kafka.common.protocol.ApiKeys;
import org.apache.kafka.common.requests.AbstractRequest;
import org.apache.kafka.common.requests.FetchRequest;
import org.apache.kafka.common.requests.ListOffsetsRequest;
import org.apache.kafka.common.requests.RequestContext;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's request, which moved in 4.4, and its queue of requests. Stateless.
 *
 * <p>The agent's check of references does not see names in strings. So a test uses them in every supported version, and
 * this class is initialized at the start.
 */
final class RequestAccess {
    /** How a replica's fetcher names itself; a client that does so counts as one. */
    private static final Pattern REPLICA = Pattern.compile("broker-\\d+-fetcher-\\d+");

    private static final Class<?> REQUEST = request();
    private static final MethodHandle CONTEXT = context();
    private static final MethodHandle BODY = body();
    private static final MethodHandle SEND = send();

    private RequestAccess() {}

    /** Throws {@link ExceptionInInitializerError} when this Kafka version is not one of the known ones. */
    static void requireKnownKafka() {}

    /**
     * Who reads a log.
     *
     * @param isLookup it asks for offsets; else it fetches
     */
    record Reader(String connection, String client, boolean isLookup) {
        boolean isReplica() {
            return client.startsWith("broker-") && REPLICA.matcher(client).matches();
        }
    }

    /** The same of a request; null when it reads none. */
    static @Nullable Reader reader(Object request) {
        RequestContext context = contextOf(request);
        ApiKeys api = context.header.apiKey();
        boolean isLookup = api == ApiKeys.LIST_OFFSETS;
        if (api != ApiKeys.FETCH && api != ApiKeys.SHARE_FETCH && !isLookup) {
            return null;
        }
        return new Reader(context.connectionId, String.valueOf(context.header.clientId()), isLookup);
    }

    /** Whether a lookup asks for the offset of a timestamp, which reads the log; the ends of a log are known. */
    static boolean looksUpTimes(Object request) {
        return bodyOf(request) instanceof ListOffsetsRequest lookup
                && lookup.topics().stream()
                        .flatMap(topic -> topic.partitions().stream())
                        .anyMatch(partition -> partition.timestamp() >= 0
                                || partition.timestamp() == ListOffsetsRequest.MAX_TIMESTAMP);
    }

    /** Has the response to a fetch bring no more bytes; one batch, however, it always brings. */
    static void limit(Object request, long mostBytes) {
        if (mostBytes < Integer.MAX_VALUE && bodyOf(request) instanceof FetchRequest fetch) {
            fetch.data().setMaxBytes((int) Math.min(fetch.maxBytes(), mostBytes));
        }
    }

    private static AbstractRequest bodyOf(Object request) {
        try {
            return (AbstractRequest) BODY.invokeExact(request);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static RequestContext contextOf(Object request) {
        try {
            return (RequestContext) CONTEXT.invokeExact(request);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e); // neither method has a throws clause
        }
    }

    /** Puts a request into the queue of the request handlers. */
    static void send(Object channel, Object request) {
        try {
            SEND.invokeExact(channel, request);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private static Class<?> request() {
        try {
            return load("kafka.network.RequestChannel$Request");
        } catch (ClassNotFoundException movedIn44) {
            try {
                return load("org.apache.kafka.network.Request");
            } catch (ClassNotFoundException e) {
                throw new ExceptionInInitializerError(e);
            }
        }
    }

    private static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, false, RequestAccess.class.getClassLoader());
    }

    private static MethodHandle context() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(REQUEST, "context", methodType(RequestContext.class))
                    .asType(methodType(RequestContext.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static MethodHandle body() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(REQUEST, "loggableRequest", methodType(AbstractRequest.class))
                    .asType(methodType(AbstractRequest.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static MethodHandle send() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(load("kafka.network.RequestChannel"), "sendRequest", methodType(void.class, REQUEST))
                    .asType(methodType(void.class, Object.class, Object.class));
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.TieredFileChannel;
import io.evenkeel.tiered.coldread.ColdClients;
import io.evenkeel.tiered.coldread.ColdFetches;
import io.evenkeel.tiered.coldread.ColdSend;
import io.evenkeel.tiered.coldread.HeaderReads;
import io.evenkeel.tiered.coldread.HeldChunk;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.kafka.RequestAccess.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import org.apache.kafka.common.network.KafkaChannel;
import org.jspecify.annotations.Nullable;

/**
 * The static door through which Kafka's network threads and request handlers reach the cold readers. Thread safe; a
 * network thread calls it for its own connections.
 */
public final class ColdReadHooks {
    /** What {@link #sendable} answers when the send has been put aside: Kafka sends nothing and returns 0. */
    public static final long WAITS = -1;

    private static final WaitingSends SENDS = new WaitingSends();

    private static final ColdClients CLIENTS = new ColdClients();

    private static volatile @Nullable ColdFetches fetches;

    private ColdReadHooks() {}

    /** The tier is on, in a broker with so many request handlers. */
    static void start(int handlers) {
        RequestAccess.requireKnownKafka();
        fetches = new ColdFetches(handlers, new HeldFetches().start()::release);
        ColdClientGauges.start(CLIENTS);
    }

    /**
     * Called on entry to {@code KafkaApis.handle}, where a request handler begins with a request. What this counts as
     * served ends with the same call, so no request can be forgotten. The controller has a {@code handle} of its own:
     * the fetches of other controllers never come here.
     *
     * @param requestChannel the request came from it, and goes back to it when it is held
     * @return true when the request is held: Kafka's own code is skipped, and runs later
     */
    public static boolean holds(Object requestChannel, Object request) {
        ColdFetches on = fetches;
        Reader reader = on == null ? null : RequestAccess.reader(request);
        if (on == null || reader == null || (reader.isLookup() && !RequestAccess.looksUpTimes(request))) {
            return false;
        }
        boolean isUnknown = reader.isLookup() || isUnknownFetch(request, reader);
        return (isUnknown || !on.isIdle())
                && !reader.isReplica()
                && on.holds(reader.connection(), request, isUnknown, () -> RequestAccess.send(requestChannel, request));
    }

    private static boolean isUnknownFetch(Object request, Reader reader) {
        boolean isUnknown = CLIENTS.fetches(reader.connection(), reader.client(), reader::isReplica, System.nanoTime());
        RequestAccess.limit(request, CLIENTS.mostBytes(reader.connection()));
        return isUnknown;
    }

    /** Sets each client's ceiling for segments that are on an HDD alone. */
    static void ceiling(long bytesPerSecond) {
        CLIENTS.ceiling(bytesPerSecond, System.nanoTime());
    }

    /** Called on exit from {@code KafkaApis.handle}: a request handler is done with a request, or it is held. */
    public static void handled(Object request, boolean isHeld) {
        if (isHeld) {
            return;
        }
        boolean neededHdd = HeaderReads.takeNeededHdd();
        ColdFetches on = fetches;
        Reader reader = on == null || (on.isIdle() && !neededHdd) ? null : RequestAccess.reader(request);
        if (on != null && reader != null && !reader.isReplica()) {
            on.served(reader.connection(), request, neededHdd, System.nanoTime());
        }
    }

    /** The response on a connection. */
    private record Response(SelectionKey key, TieredFileChannel channel, long sinceNanos) implements ColdSend {
        @Override
        public void wake() {
            SENDS.wake(key);
            TierEvents.waited(connection(key), channel.partition(), System.nanoTime() - sinceNanos);
        }

        @Override
        public boolean isToReplica() {
            return CLIENTS.isReplica(connection(key));
        }

        @Override
        public long fetchedNanos() {
            return CLIENTS.fetchedNanos(connection(key), sinceNanos);
        }

        @Override
        public long owedNanos() {
            return CLIENTS.owedNanos(connection(key), sinceNanos);
        }
    }

    private static String connection(SelectionKey key) {
        return key.attachment() instanceof KafkaChannel channel ? channel.id() : "";
    }

    /**
     * Called on entry to {@code PlaintextTransportLayer.transferFrom}.
     *
     * @return the number of bytes to send now, or {@link #WAITS}
     */
    public static long sendable(SelectionKey key, FileChannel channel, long position, long count) {
        if (count <= 0 || !(channel instanceof TieredFileChannel tiered) || !tiered.mayWait()) {
            return count;
        }
        long now = tiered.sendable(position, count, new Response(key, tiered, System.nanoTime()));
        if (now > 0 && SENDS.isDue(key)) {
            return now;
        }
        SENDS.putAside(key);
        return WAITS;
    }

    /**
     * Called on entry to {@code SslTransportLayer.transferFrom}.
     *
     * @param encrypted what is still to be sent of earlier bytes: Kafka sends that first; meanwhile the send is not put
     *     aside
     * @return the number of bytes to send now, or {@link #WAITS}
     */
    public static long sendable(
            SelectionKey key, FileChannel channel, long position, long count, ByteBuffer encrypted) {
        return encrypted.hasRemaining() && channel instanceof TieredFileChannel tiered
                ? tiered.sendable(position, count, null)
                : sendable(key, channel, position, count);
    }

    /**
     * Called on exit from {@code transferFrom} of both transport layers, also when the send was put aside or has
     * failed.
     *
     * @param bytes how many were sent
     */
    public static void sent(SelectionKey key, FileChannel channel, long bytes) {
        HeldChunk.letGo();
        if (bytes > 0 && channel instanceof TieredFileChannel tiered && tiered.isOnHddAlone()) {
            String topic = SegmentFileName.topicOf(tiered.partition());
            if (!topic.isEmpty()) {
                CLIENTS.sent(connection(key), topic, bytes, System.nanoTime());
            }
        }
    }

    /** Called on entry to {@code Selector.poll}, by which a network thread waits for its connections. */
    public static void polls(Selector selector) {
        SENDS.takeUp(selector);
    }

    /** Called when a thread begins to look for the position of an offset or a timestamp in a segment. */
    public static void headersBegin() {
        HeaderReads.begin();
    }

    /** Called when it has found the position, or has failed. */
    public static void headersEnd() {
        HeaderReads.end();
    }
}

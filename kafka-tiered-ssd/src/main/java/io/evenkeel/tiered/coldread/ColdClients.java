/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * Who reads from the HDDs: which client, of which topic, how much. Thread safe. Request handlers tell which connections
 * do, network threads what they sent on them.
 */
public final class ColdClients {
    /** A client's reads of a topic. */
    public record Use(String client, String topic) {
        /** All that are too many to be told apart. */
        static final Use OTHERS = new Use("others", "others");
    }

    private record Connection(String client, boolean isReplica, long seenNanos) {}

    /** The bytes, and the time of the last ones. */
    private static final class Sent {
        final LongAdder bytes = new LongAdder();
        volatile long lastNanos;
    }

    /**
     * What has changed.
     *
     * @param began those that have begun to read
     * @param ended those that have read nothing for {@value #MINUTES} minutes
     */
    public record Changes(List<Use> began, List<Use> ended) {}

    static final int MOST_USES = 100;
    static final int MOST_CONNECTIONS = 10_000;
    private static final int MINUTES = 10;
    private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(MINUTES);

    private final Map<String, Connection> connections = new ConcurrentHashMap<>();
    private final Map<Use, Sent> uses = new ConcurrentHashMap<>();
    private final List<Use> told = new ArrayList<>();

    /** A fetch on that connection got bytes that were read from an HDD. */
    public void met(String connection, String client, boolean isReplica, long nowNanos) {
        if (isReplica || connections.size() < MOST_CONNECTIONS || connections.containsKey(connection)) {
            connections.put(connection, new Connection(client, isReplica, nowNanos));
        }
    }

    /** Whether a replica fetches on that connection, and met an HDD. */
    public boolean isReplica(String connection) {
        Connection known = connections.get(connection);
        return known != null && known.isReplica();
    }

    /** Nothing has to be told of what is sent. */
    public boolean isIdle() {
        return connections.isEmpty();
    }

    /** Bytes of a segment that is on an HDD alone were sent; nothing happens if that connection is not known. */
    public void sent(String connection, String topic, long bytes, long nowNanos) {
        Connection known = connections.get(connection);
        if (known == null) {
            return;
        }
        Use use = new Use(known.client(), topic);
        Sent sent = uses.get(use);
        if (sent == null) {
            sent = uses.computeIfAbsent(uses.size() < MOST_USES ? use : Use.OTHERS, any -> new Sent());
        }
        sent.bytes.add(bytes);
        sent.lastNanos = nowNanos;
    }

    /** How many bytes were sent since the client began. */
    public long bytes(Use use) {
        Sent sent = uses.get(use);
        return sent == null ? 0 : sent.bytes.sum();
    }

    /** What has changed since the last call. By one thread at a time. */
    public Changes turn(long nowNanos) {
        connections.values().removeIf(known -> nowNanos - known.seenNanos() > REMEMBERED_NANOS);
        uses.values().removeIf(sent -> nowNanos - sent.lastNanos > REMEMBERED_NANOS);
        List<Use> now = new ArrayList<>(uses.keySet());
        List<Use> began = new ArrayList<>(now);
        began.removeAll(told);
        List<Use> ended = new ArrayList<>(told);
        ended.removeAll(now);
        told.clear();
        told.addAll(now);
        return new Changes(began, ended);
    }
}

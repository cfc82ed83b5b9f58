/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.coldread;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Who reads from the HDDs: which client, of which topic, how much, and how much it may. Thread safe. Network threads
 * tell whose fetches come in on a connection, and what they sent on it.
 */
public final class ColdClients {
    /** A client's reads of a topic. */
    public record Use(String client, String topic) {
        /** All that are too many to be told apart. */
        static final Use OTHERS = new Use("others", "others");
    }

    private static final class Connection {
        final String client;
        final boolean isReplica;
        volatile long seenNanos;

        Connection(String client, boolean isReplica) {
            this.client = client;
            this.isReplica = isReplica;
        }
    }

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
    static final int MOST_CONNECTIONS = 50_000;
    private static final int MINUTES = 10;
    private static final long REMEMBERED_NANOS = TimeUnit.MINUTES.toNanos(MINUTES);
    /** Far below a client's {@code request.timeout.ms}: else it would give up, ask again, and never get anything. */
    static final long LONGEST_DELAY_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** All clients that are not known share one ceiling. */
    private static final String UNKNOWN = "";

    private final Map<String, Connection> connections = new ConcurrentHashMap<>();
    private final Map<Use, Sent> uses = new ConcurrentHashMap<>();
    private final ClientCeilings ceilings = new ClientCeilings();
    private final List<Use> told = new ArrayList<>();

    /**
     * A fetch has come in on that connection. So its client is known whichever thread completes the fetch.
     *
     * @param isReplica asked when the client is new on the connection
     * @return true when nobody knows where it reads: this is the first fetch on the connection, or the first for longer
     *     than cold consumers are remembered ({@link ColdFetches})
     */
    public boolean fetches(String connection, String client, BooleanSupplier isReplica, long nowNanos) {
        Connection known = connections.get(connection);
        boolean isUnknown = known == null || nowNanos - known.seenNanos > ColdFetches.COLD_NANOS;
        if (known == null || !known.client.equals(client)) {
            boolean replica = isReplica.getAsBoolean();
            if (known == null && !replica && connections.size() >= MOST_CONNECTIONS) {
                return false;
            }
            known = new Connection(client, replica);
            known.seenNanos = nowNanos; // before others see it, or it may be forgotten at once
            connections.put(connection, known);
        }
        known.seenNanos = nowNanos;
        return isUnknown;
    }

    /** Whether a replica fetches on that connection. */
    public boolean isReplica(String connection) {
        Connection known = connections.get(connection);
        return known != null && known.isReplica;
    }

    /** When the last fetch came in on that connection; that instant when it is not known. */
    public long fetchedNanos(String connection, long nowNanos) {
        Connection known = connections.get(connection);
        return known == null ? nowNanos : known.seenNanos;
    }

    /** The client that fetches on that connection; empty when that is not known. */
    String client(String connection) {
        return client(connections.get(connection));
    }

    private static String client(@Nullable Connection known) {
        return known == null ? UNKNOWN : known.client;
    }

    /** Sets each client's ceiling for segments that are on an HDD alone. */
    public void ceiling(long bytesPerSecond, long nowNanos) {
        ceilings.rate(bytesPerSecond, nowNanos);
    }

    /**
     * The most that a response on that connection should bring, so that the client's ceiling does not keep it waiting
     * for long. Replicas get what they ask for.
     */
    public long mostBytes(String connection) {
        Connection known = connections.get(connection);
        return known != null && known.isReplica ? Long.MAX_VALUE : ceilings.mostBytes(client(known));
    }

    /** Until the client on that connection may get more: replicas always may, and whose fetch is old enough. */
    public long owedNanos(String connection, long nowNanos) {
        Connection known = connections.get(connection);
        if (known == null) {
            return ceilings.waitNanos(UNKNOWN, nowNanos);
        }
        long patienceNanos = known.seenNanos + LONGEST_DELAY_NANOS - nowNanos;
        return known.isReplica || patienceNanos <= 0
                ? 0
                : Math.min(patienceNanos, ceilings.waitNanos(known.client, nowNanos));
    }

    /** Bytes of a segment that is on an HDD alone were sent. */
    public void sent(String connection, String topic, long bytes, long nowNanos) {
        Connection known = connections.get(connection);
        Use use = known == null ? Use.OTHERS : new Use(known.client, topic);
        Sent sent = uses.get(use);
        if (sent == null) {
            sent = uses.computeIfAbsent(uses.size() < MOST_USES ? use : Use.OTHERS, any -> new Sent());
        }
        sent.bytes.add(bytes);
        sent.lastNanos = nowNanos;
        if (known == null || !known.isReplica) {
            ceilings.charge(client(known), bytes, nowNanos);
        }
    }

    /** How many bytes were sent since the client began. */
    public long bytes(Use use) {
        Sent sent = uses.get(use);
        return sent == null ? 0 : sent.bytes.sum();
    }

    /** What has changed since the last call. By one thread at a time. */
    public Changes turn(long nowNanos) {
        connections.values().removeIf(known -> nowNanos - known.seenNanos > REMEMBERED_NANOS);
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

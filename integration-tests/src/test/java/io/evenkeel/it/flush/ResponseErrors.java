/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import io.evenkeel.testkit.Broker;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;

/**
 * The errors in a broker's responses, by request and error. Clients retry most of them and do not show them to the
 * application; others take them as final. Stateless.
 */
final class ResponseErrors {
    private static final String ALL = "kafka.network:type=RequestMetrics,name=ErrorsPerSec,*";
    /** What clients send; the rest is between brokers. */
    private static final Set<String> REQUESTS = Set.of(
            "Produce",
            "Fetch",
            "FetchConsumer",
            "ListOffsets",
            "OffsetCommit",
            "OffsetFetch",
            "JoinGroup",
            "SyncGroup",
            "Heartbeat",
            "LeaveGroup",
            "InitProducerId",
            "AddPartitionsToTxn",
            "AddOffsetsToTxn",
            "TxnOffsetCommit",
            "EndTxn");

    /** Not an error, and CONCURRENT_TRANSACTIONS: how fast a client is decides whether a healthy broker gives it. */
    private static final Set<String> OF_HEALTHY = Set.of("NONE", "CONCURRENT_TRANSACTIONS");

    private ResponseErrors() {}

    /** Counts since the broker's start, as {@code request: ERROR}. */
    static Map<String, Long> of(Broker broker) throws IOException {
        Map<String, Long> counts = new TreeMap<>();
        try (JMXConnector jmx = broker.jmx()) {
            MBeanServerConnection server = jmx.getMBeanServerConnection();
            for (ObjectName name : server.queryNames(new ObjectName(ALL), null)) {
                String request = name.getKeyProperty("request");
                String error = name.getKeyProperty("error");
                if (REQUESTS.contains(request) && !OF_HEALTHY.contains(error)) {
                    counts.put(request + ": " + error, ((Number) server.getAttribute(name, "Count")).longValue());
                }
            }
        } catch (JMException e) {
            throw new IOException("no counts of errors", e);
        }
        return counts;
    }
}

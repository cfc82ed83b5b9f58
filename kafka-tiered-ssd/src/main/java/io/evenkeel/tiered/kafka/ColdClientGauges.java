/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.core.Worker;
import io.evenkeel.tiered.coldread.ColdClients;
import io.evenkeel.tiered.coldread.ColdClients.Use;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.server.metrics.KafkaMetricsGroup;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators which clients read from the HDDs: a gauge for each client and topic, and a line in the log when one
 * begins, a few seconds later. On a thread of its own.
 */
public final class ColdClientGauges {
    /** The gauge's name; its tags are {@code client-id} and {@code topic}. */
    public static final String NAME = "ColdReadClientBytes";
    /** What it is, for operators. */
    public static final String DOC =
            "Bytes sent to a client from segments of a topic that are on the HDD alone, since the client began to read"
                    + " them. Has the tags `client-id` and `topic`; goes away after ten minutes without any. Above 100"
                    + " pairs, further ones share the tags `others`.";

    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");
    private static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST_NAMED = 5;
    private static final int LONGEST_NAME = 100;

    private final KafkaMetricsGroup group = new KafkaMetricsGroup("kafka.log", "TieredSsd");
    private final ColdClients clients;

    private ColdClientGauges(ColdClients clients) {
        this.clients = clients;
    }

    static void start(ColdClients clients) {
        ColdClientGauges gauges = new ColdClientGauges(clients);
        new Worker(
                        "evenkeel-tiered cold clients",
                        gauges::turn,
                        (name, failure) -> LOG.error(
                                "{} failed and will try again after a pause. Until then it is not told which clients"
                                        + " read from the HDDs. Requests are not affected.",
                                name,
                                failure))
                .start();
    }

    private long turn(long nowNanos) {
        ColdClients.Changes changes = clients.turn(nowNanos);
        changes.began().forEach(use -> group.newGauge(NAME, () -> clients.bytes(use), tags(use)));
        changes.ended().forEach(use -> group.removeMetric(NAME, tags(use)));
        if (!changes.began().isEmpty()) {
            LOG.info(
                    "Clients have begun to read further back than the SSDs reach, from the HDDs: {}. Others are not"
                            + " slowed down by that. The gauges {} tell how much they read.",
                    named(changes.began()),
                    NAME);
        }
        return PERIOD_NANOS;
    }

    private static String named(List<Use> began) {
        String some = began.stream()
                .limit(MOST_NAMED)
                .map(use -> shown(use.client()) + " (topic " + use.topic() + ")")
                .collect(Collectors.joining(", "));
        return began.size() > MOST_NAMED ? some + " and " + (began.size() - MOST_NAMED) + " more" : some;
    }

    /** Clients choose their names. */
    private static String shown(String client) {
        String line = client.replaceAll("\\p{Cntrl}", "?");
        return line.length() > LONGEST_NAME ? line.substring(0, LONGEST_NAME) + "…" : line;
    }

    private static Map<String, String> tags(Use use) {
        return new TreeMap<>(Map.of("client-id", use.client(), "topic", use.topic())); // in one order
    }
}

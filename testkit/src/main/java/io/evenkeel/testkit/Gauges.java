/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;

/** A running broker's gauges. Asked from one thread; touches no disk that the broker's directories are on. */
public final class Gauges implements AutoCloseable {
    private static final String FLUSH = "kafka.log:type=FlushRatelimit,name=";

    private final JMXConnector jmx;

    public Gauges(Broker broker) throws IOException {
        this.jmx = broker.jmx();
    }

    /** One of the tier's, by the name that {@code docs/metrics.md} gives it. */
    public long tier(String name) throws IOException {
        return number("kafka.log:type=TieredSsd,name=" + name, "Value");
    }

    /** All of flushing by rate, by name; none where it is off. */
    public Map<String, Long> flush() throws IOException {
        Map<String, Long> values = new TreeMap<>();
        try {
            for (ObjectName name : jmx.getMBeanServerConnection().queryNames(new ObjectName(FLUSH + "*"), null)) {
                values.put(name.getKeyProperty("name"), number(name.toString(), "Value"));
            }
        } catch (JMException e) {
            throw new IOException("no gauges of flushing by rate", e);
        }
        return values;
    }

    /** One of flushing by rate, by the name that {@code docs/metrics.md} gives it. */
    public long flush(String name) throws IOException {
        return number(FLUSH + name, "Value");
    }

    /** How often Kafka has flushed a segment, for whatever reason. */
    public long segmentFlushes() throws IOException {
        return number("kafka.log:type=LogFlushStats,name=LogFlushRateAndTimeMs", "Count");
    }

    /** The number of log directories that are offline. */
    public long offlineLogDirs() throws IOException {
        return number("kafka.log:type=LogManager,name=OfflineLogDirectoryCount", "Value");
    }

    /** The bytes that the broker has sent to consumers of the topic. */
    public long bytesOut(String topic) throws IOException {
        return number("kafka.server:type=BrokerTopicMetrics,name=BytesOutPerSec,topic=" + topic, "Count");
    }

    /** The delayed requests of a kind, such as {@code Fetch}, in the broker. */
    public long delayed(String kind) throws IOException {
        return purgatory("NumDelayedOperations", kind);
    }

    /** The delayed requests of a kind, each counted once per key that it waits under. */
    public long watched(String kind) throws IOException {
        return purgatory("PurgatorySize", kind);
    }

    private long purgatory(String name, String kind) throws IOException {
        return number(
                "kafka.server:type=DelayedOperationPurgatory,name=" + name + ",delayedOperation=" + kind, "Value");
    }

    /** Whether the timer of a purgatory is ours. */
    public boolean isWheel(String kind) throws IOException {
        try {
            ObjectName adds = new ObjectName("kafka.server:type=PurgatoryWheel,name=Adds,timer=" + kind);
            return jmx.getMBeanServerConnection().isRegistered(adds);
        } catch (JMException e) {
            throw new IOException(e);
        }
    }

    private long number(String mBean, String attribute) throws IOException {
        try {
            Object value = jmx.getMBeanServerConnection().getAttribute(new ObjectName(mBean), attribute);
            return ((Number) value).longValue();
        } catch (JMException e) {
            throw new IOException("no " + attribute + " of " + mBean, e);
        }
    }

    @Override
    public void close() throws IOException {
        jmx.close();
    }
}

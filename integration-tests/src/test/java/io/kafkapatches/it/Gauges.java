/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it;

import java.io.IOException;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;

/** A running broker's gauges. Asked from one thread; touches no disk that the broker's directories are on. */
final class Gauges implements AutoCloseable {
    private final JMXConnector jmx;

    Gauges(Broker broker) throws IOException {
        this.jmx = ((ForkedBroker) broker).jmx();
    }

    /** One of the tier's, by the name that {@code docs/metrics.md} gives it. */
    long tier(String name) throws IOException {
        return number("kafka.log:type=TieredSsd,name=" + name, "Value");
    }

    /** The log directories that Kafka has given up. */
    long offlineLogDirs() throws IOException {
        return number("kafka.log:type=LogManager,name=OfflineLogDirectoryCount", "Value");
    }

    /** What the broker has sent to consumers of that topic. */
    long bytesOut(String topic) throws IOException {
        return number("kafka.server:type=BrokerTopicMetrics,name=BytesOutPerSec,topic=" + topic, "Count");
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

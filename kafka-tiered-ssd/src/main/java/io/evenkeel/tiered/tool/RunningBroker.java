/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import java.io.IOException;
import java.net.MalformedURLException;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A broker's gauges, read by JMX while it runs. Not thread safe. */
final class RunningBroker implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("[^\\s/]+:\\d{1,5}");
    private static final String TIER = "kafka.log:type=TieredSsd,name=";
    /** A host name that leads nowhere keeps a connection waiting for minutes. */
    private static final long CONNECT_SECONDS = 20;

    private static final String RESPONSE_TIMEOUT = "sun.rmi.transport.tcp.responseTimeout";
    private static final String RESPONSE_MS = "20000";

    private final String address;
    private final JMXConnector connector;

    private RunningBroker(String address, JMXConnector connector) {
        this.address = address;
        this.connector = connector;
    }

    /**
     * Connects to the broker that owns the disks.
     *
     * @param address host and port of its JMX
     * @throws IOException when nobody answers there, or another process does; the message says what to do
     */
    static RunningBroker connect(BrokerDisks disks, String address) throws IOException, InterruptedException {
        if (!ADDRESS.matcher(address).matches()) {
            throw new IOException("--jmx takes HOST:PORT, such as localhost:9999, not " + address);
        }
        System.setProperty(RESPONSE_TIMEOUT, RESPONSE_MS);
        RunningBroker broker = new RunningBroker(address, open(address));
        try {
            if (!broker.has("kafka.server:type=app-info,id=" + disks.nodeId())) {
                throw new IOException("The process whose JMX is at " + address + " is not node " + disks.nodeId()
                        + ", to which the disks belong. Give its address, or that node's --config.");
            }
            return broker;
        } catch (IOException e) {
            broker.close();
            throw e;
        }
    }

    @SuppressWarnings("BanJNDI") // the operator names the process
    private static JMXConnector open(String address) throws IOException, InterruptedException {
        FutureTask<JMXConnector> connection = new FutureTask<>(() ->
                JMXConnectorFactory.connect(new JMXServiceURL("service:jmx:rmi:///jndi/rmi://" + address + "/jmxrmi")));
        Thread thread = new Thread(connection, "connect to " + address);
        thread.setDaemon(true);
        thread.start();
        try {
            return connection.get(CONNECT_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw unreachable(address, "no answer in " + CONNECT_SECONDS + " s", e);
        } catch (ExecutionException e) {
            throw failed(address, e.getCause() == null ? e : e.getCause());
        }
    }

    private static IOException failed(String address, Throwable cause) {
        if (cause instanceof MalformedURLException) {
            return new IOException(
                    "Cannot read the broker's gauges at " + address + ": this Java lacks the module"
                            + " java.management.rmi. Run the tool with the broker's Java.",
                    cause);
        }
        if (cause instanceof SecurityException) {
            return new IOException(
                    "The JMX at " + address + " asks for a password, which this tool cannot give. Read the gauges with"
                            + " another JMX client; docs/metrics.md lists them.",
                    cause);
        }
        Throwable root = cause;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return unreachable(address, root.getMessage() == null ? root.toString() : root.getMessage(), cause);
    }

    private static IOException unreachable(String address, String why, Throwable cause) {
        return new IOException(
                "Cannot read the broker's gauges at " + address + ": " + why.strip() + ". Start the broker with"
                        + " JMX_PORT set to this port, and in a container or on another machine with"
                        + " -Djava.rmi.server.hostname=HOST in KAFKA_JMX_OPTS. Without --jmx, status reads the disks"
                        + " alone.",
                cause);
    }

    /** One of the tier's gauges, by its name in the documentation. */
    long tier(String gauge) throws IOException {
        return number(TIER + gauge);
    }

    /** The value of a gauge. */
    long number(String mBean) throws IOException {
        try {
            Object value = connector.getMBeanServerConnection().getAttribute(new ObjectName(mBean), "Value");
            return ((Number) value).longValue();
        } catch (InstanceNotFoundException e) {
            throw new IOException(
                    "The broker at " + address + " has no gauge " + mBean + ": it runs without the agent, with the"
                            + " tier off, or with a jar of another version.",
                    e);
        } catch (JMException e) {
            throw new IOException("Cannot read the gauge " + mBean + " at " + address + ": " + e.getMessage(), e);
        }
    }

    boolean has(String mBean) throws IOException {
        return !names(mBean).isEmpty();
    }

    /** All that match the pattern. */
    Set<ObjectName> names(String pattern) throws IOException {
        MBeanServerConnection beans = connector.getMBeanServerConnection();
        try {
            return beans.queryNames(new ObjectName(pattern), null);
        } catch (JMException e) {
            throw new IOException("No name of a gauge: " + pattern, e);
        }
    }

    @Override
    public void close() {
        try {
            connector.close();
        } catch (IOException e) {
            // the broker has ended meanwhile
        }
    }
}

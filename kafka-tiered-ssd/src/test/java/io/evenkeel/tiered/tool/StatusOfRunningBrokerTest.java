/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkeel.tiered.BrokerOnDisks;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.rmi.registry.LocateRegistry;
import java.rmi.registry.Registry;
import java.rmi.server.UnicastRemoteObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.remote.JMXConnectorServer;
import javax.management.remote.JMXConnectorServerFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code status --jmx}, with gauges of ours in the place of a broker's. */
class StatusOfRunningBrokerTest {
    private static final String TIER = "kafka.log:type=TieredSsd,name=";

    /** As Kafka's gauges are. */
    public interface GaugeMBean {
        Object getValue();
    }

    /** Its value is asked for each time. */
    public record Gauge(LongSupplier value) implements GaugeMBean {
        @Override
        public Object getValue() {
            return value.getAsLong();
        }
    }

    @TempDir
    Path root;

    private final MBeanServer beans = MBeanServerFactory.newMBeanServer();
    private final AtomicLong readings = new AtomicLong();
    private long shadowCapacityBytes;
    private Path config;
    private int port;
    private Registry registry;
    private JMXConnectorServer connector;

    @BeforeEach
    void startBroker() throws Exception {
        BrokerOnDisks broker = new BrokerOnDisks(root, 1, 1, 3 << 20);
        broker.roll("events-0", 0, 1000);
        config = broker.serverProperties();
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        registry = LocateRegistry.createRegistry(port);
        connector = JMXConnectorServerFactory.newJMXConnectorServer(
                new JMXServiceURL("service:jmx:rmi:///jndi/rmi://localhost:" + port + "/jmxrmi"), Map.of(), beans);
        connector.start();
    }

    @AfterEach
    void stopBroker() throws Exception {
        connector.stop();
        UnicastRemoteObject.unexportObject(registry, true);
    }

    private void gauge(String name, LongSupplier value) throws Exception {
        beans.registerMBean(new Gauge(value), new ObjectName(name));
    }

    private void gauge(String name, long value) throws Exception {
        gauge(name, () -> value);
    }

    private void tier() throws Exception {
        gauge("kafka.server:type=app-info,id=1", 0);
        gauge(TIER + "ShadowCapacityBytes", shadowCapacityBytes);
        gauge(TIER + "ColdReadBytesPerSec", 10 << 20);
        gauge(TIER + "ColdReadBusyPercent", 34);
        gauge(TIER + "ColdReadQueue", 5);
        gauge(TIER + "ColdReadWaitingSends", 1);
        gauge(TIER + "ColdReadBufferBytes", 4 << 20);
        gauge(TIER + "HddReadWaits", () -> 10 + 4 * readings.get());
        gauge(TIER + "HddReadWaitMs", () -> 1000 + 36 * readings.get());
    }

    private Said status(String... more) {
        List<String> command = new ArrayList<>(List.of("status", "--jmx", "localhost:" + port));
        command.addAll(List.of(more));
        return Said.by(config, command.toArray(String[]::new));
    }

    @Test
    void clientsThatReadFromTheHddAreListedAndTheBusiestIsFirst() throws Exception {
        tier();
        gauge(TIER + "ColdReadClientBytes,client-id=rested,topic=a", 900_000_000);
        gauge(
                TIER + "ColdReadClientBytes,client-id=" + ObjectName.quote("far, behind") + ",topic=b",
                () -> 500_000 + 20_000_000 * readings.getAndIncrement());
        Said said = status("--json");
        assertThat(said.err()).isEmpty();
        JsonNode reads = said.json().at("/hddReads");
        assertThat(reads.at("/clients").findValuesAsText("clientId")).containsExactly("far, behind", "rested");
        assertThat(reads.at("/clients").findValuesAsText("topic")).containsExactly("b", "a");
        assertThat(reads.at("/clients/0/bytes").asLong()).isEqualTo(20_500_000);
        assertThat(reads.at("/clients/0/bytesPerSecond").asLong())
                .as("20 MB in some 2 s")
                .isBetween(5_000_000L, 10_100_000L);
        assertThat(reads.at("/clients/1/bytesPerSecond").asLong()).isZero();
        assertThat(reads.at("/waits").asLong()).isEqualTo(4);
        assertThat(reads.at("/meanWaitMs").asLong()).isEqualTo(9);
        assertThat(reads.at("/busyPercent").asLong()).isEqualTo(34);
        assertThat(reads.at("/queuedChunks").asLong()).isEqualTo(5);
        assertThat(reads.at("/bufferLimitBytes").asLong()).isEqualTo(128 << 20);
    }

    @Test
    void textHasASectionForIt() throws Exception {
        tier();
        gauge(TIER + "ColdReadClientBytes,client-id=late,topic=a", 3 << 20);
        assertThat(status().out().replaceAll(" +", " "))
                .contains(
                        "Reading from the HDD now:\n CLIENT TOPIC SINCE IT BEGAN A SECOND\n late a 3.0 MiB -\n",
                        " HDDs 10.0 MiB a second for them, 34 % of the time of one HDD; 0 reads waited\n",
                        " queue 5 chunks of 128 KiB to be read, 1 response waiting\n",
                        " memory 4.0 MiB of 128 MiB for what is read\n",
                        "No problems.\n");
    }

    @Test
    void theShadowHasASection() throws Exception {
        shadowCapacityBytes = 8 << 20;
        tier();
        gauge(TIER + "ShadowBytes", 7 << 20);
        gauge(TIER + "ShadowSsdReadBytes", 3 << 20);
        gauge(TIER + "ShadowHddReadBytes", 1 << 20);
        gauge(TIER + "ShadowSavedWaits", 4);
        gauge(TIER + "ShadowSavedWaitMs", 80);
        gauge(TIER + "ShadowEvictedSegments", 1);
        gauge(TIER + "ShadowRefusedSegments", 0);
        String flush = "kafka.log:type=FlushRatelimit,name=";
        gauge(flush + "Shadow", 1);
        gauge(flush + "Flushes", 12);
        gauge(flush + "FlushedBytes", 2 << 20);
        gauge(flush + "HighestPendingBytes", 1 << 20);
        gauge(flush + "HighestPendingSpanMs", 900);
        assertThat(status().out())
                .contains(
                        "  reads   75 % of 4.0 MiB from the SSDs\n",
                        "  waits   4 saved, of 10 reads that waited for an HDD; 80 ms\n",
                        "  SSDs    7.0 MiB of 8.0 MiB in use; 1 segment evicted, 0 found no room\n",
                        "  flushes 12, of 2.0 MiB\n",
                        "  bounds  1.0 MiB and 900 ms of one partition were unflushed at the most\n");
        assertThat(status("--json").json().at("/shadow/tier/savedWaits").asLong())
                .isEqualTo(4);
    }

    @Test
    void withoutAShadowThereIsNoSection() throws Exception {
        tier();
        assertThat(status().out()).doesNotContain("shadow");
    }

    @Test
    void nobodyIsAnAnswer() throws Exception {
        tier();
        assertThat(status().out()).contains("Reading from the HDD now: nobody.\n");
    }

    @Test
    void anotherNodeIsNoAnswer() throws Exception {
        gauge("kafka.server:type=app-info,id=11", 0);
        assertThat(status())
                .isEqualTo(new Said(
                        2,
                        "",
                        "The process whose JMX is at localhost:" + port + " is not node 1, to which the disks belong."
                                + " Give its address, or that node's --config.\n"));
    }

    @Test
    void brokerWithoutTheGaugesIsNamedAsTheCause() throws Exception {
        gauge("kafka.server:type=app-info,id=1", 0);
        assertThat(status().err()).contains("has no gauge " + TIER, "without the agent");
    }

    @Test
    void nobodyThereIsAnErrorThatSaysWhatToDo() throws Exception {
        int nobodys;
        try (ServerSocket free = new ServerSocket(0)) {
            nobodys = free.getLocalPort();
        }
        Said said = Said.by(config, "status", "--jmx", "localhost:" + nobodys);
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.out()).isEmpty();
        assertThat(said.err())
                .hasLineCount(1)
                .startsWith("Cannot read the broker's gauges at localhost:" + nobodys + ": Connection refused")
                .contains("JMX_PORT");
    }

    @Test
    void addressWithoutAPortIsAnError() {
        assertThat(Said.by(config, "status", "--jmx", "localhost"))
                .isEqualTo(new Said(2, "", "--jmx takes HOST:PORT, such as localhost:9999, not localhost\n"));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Where a broker's directories are and how it is started. Immutable: each {@code with…} answers a changed copy, so that
 * {@code config.stock()} is the same node on the same disks without the patch.
 *
 * @param nodeDir holds everything that is neither log nor SSD directory: configuration, metadata log, output
 * @param logDirs the HDDs
 * @param ssdDirs the SSDs; without any the tier is off
 * @param properties in addition to those that {@link #serverProperties()} sets itself
 * @param jvmFlags of the broker's JVM
 * @param agentJar null for a stock broker
 * @param patchedLibs jars that go before Kafka's own on the class path
 */
public record BrokerConfig(
        Path nodeDir,
        List<Path> logDirs,
        List<Path> ssdDirs,
        Map<String, String> properties,
        List<String> jvmFlags,
        @Nullable Path agentJar,
        List<Path> patchedLibs,
        int port,
        int controllerPort) {

    private static final int FIRST_PORT = 12_000;
    private static final int PORTS_OF_FORK = 5_000;

    /** The ports handed out in this JVM. Nobody listens yet on the last ones when the next port is chosen. */
    private static final Set<Integer> GIVEN_PORTS = ConcurrentHashMap.newKeySet();

    private static final List<String> SMALL_JVM =
            List.of("-Xms128m", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    public BrokerConfig {
        logDirs = List.copyOf(logDirs);
        ssdDirs = List.copyOf(ssdDirs);
        properties = Map.copyOf(properties);
        jvmFlags = List.copyOf(jvmFlags);
        patchedLibs = List.copyOf(patchedLibs);
    }

    /** A small stock broker below {@code nodeDir}, with that many HDDs and SSDs, on ports that are free now. */
    public static BrokerConfig under(Path nodeDir, int hdds, int ssds) {
        Path root = nodeDir.toAbsolutePath().normalize();
        return new BrokerConfig(
                root,
                numbered(root, "hdd", hdds),
                numbered(root, "ssd", ssds),
                Map.of(),
                SMALL_JVM,
                null,
                List.of(),
                freePort(),
                freePort());
    }

    public BrokerConfig with(String key, Object value) {
        return with(Map.of(key, value.toString()));
    }

    /** Adds and overrides properties of {@code server.properties}. */
    public BrokerConfig with(Map<String, String> more) {
        Map<String, String> all = new LinkedHashMap<>(properties);
        all.putAll(more);
        return new BrokerConfig(nodeDir, logDirs, ssdDirs, all, jvmFlags, agentJar, patchedLibs, port, controllerPort);
    }

    public BrokerConfig withLogDirs(Path... dirs) {
        return new BrokerConfig(
                nodeDir, List.of(dirs), ssdDirs, properties, jvmFlags, agentJar, patchedLibs, port, controllerPort);
    }

    public BrokerConfig withSsdDirs(Path... dirs) {
        return new BrokerConfig(
                nodeDir, logDirs, List.of(dirs), properties, jvmFlags, agentJar, patchedLibs, port, controllerPort);
    }

    /** The same node with the agent that the system property {@code agent.jar} names. */
    public BrokerConfig patched() {
        return withAgent(Path.of(Objects.requireNonNull(
                System.getProperty("agent.jar"), "set the system property agent.jar to the agent's jar")));
    }

    public BrokerConfig withAgent(Path jar) {
        return new BrokerConfig(
                nodeDir,
                logDirs,
                ssdDirs,
                properties,
                jvmFlags,
                jar.toAbsolutePath().normalize(),
                patchedLibs,
                port,
                controllerPort);
    }

    /** Replaces all flags, heap included. */
    public BrokerConfig withJvmFlags(List<String> flags) {
        return new BrokerConfig(
                nodeDir, logDirs, ssdDirs, properties, flags, agentJar, patchedLibs, port, controllerPort);
    }

    /** With JMX on that port, as Kafka's scripts do with {@code JMX_PORT}. */
    public BrokerConfig withJmx(int jmxPort) {
        List<String> flags = new ArrayList<>(jvmFlags);
        for (String option : List.of("port=" + jmxPort, "rmi.port=" + jmxPort, "authenticate=false", "ssl=false")) {
            flags.add("-Dcom.sun.management.jmxremote." + option);
        }
        return withJvmFlags(flags);
    }

    public BrokerConfig withPatchedLibs(List<Path> jars) {
        return new BrokerConfig(nodeDir, logDirs, ssdDirs, properties, jvmFlags, agentJar, jars, port, controllerPort);
    }

    /** The same node without the agent. */
    public BrokerConfig stock() {
        return new BrokerConfig(
                nodeDir, logDirs, ssdDirs, properties, jvmFlags, null, patchedLibs, port, controllerPort);
    }

    /** All of {@code server.properties}. */
    public Map<String, String> serverProperties() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("process.roles", "broker,controller");
        all.put("node.id", "1");
        all.put("controller.quorum.voters", "1@localhost:" + controllerPort);
        all.put("controller.listener.names", "CONTROLLER");
        all.put("listeners", "PLAINTEXT://localhost:%d,CONTROLLER://localhost:%d".formatted(port, controllerPort));
        all.put("advertised.listeners", "PLAINTEXT://localhost:" + port);
        all.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        all.put("log.dirs", commaList(logDirs));
        all.put("metadata.log.dir", nodeDir.resolve("metadata").toString());
        all.put("offsets.topic.replication.factor", "1");
        all.put("offsets.topic.num.partitions", "1");
        all.put("transaction.state.log.replication.factor", "1");
        all.put("transaction.state.log.min.isr", "1");
        all.put("transaction.state.log.num.partitions", "1");
        all.put("share.coordinator.state.topic.replication.factor", "1");
        all.put("share.coordinator.state.topic.min.isr", "1");
        all.put("group.initial.rebalance.delay.ms", "0");
        // After a kill, the broker cannot register again before its earlier session has expired.
        all.put("broker.session.timeout.ms", "1500");
        all.put("broker.heartbeat.interval.ms", "300");
        if (!ssdDirs.isEmpty()) {
            all.put("tiered.ssd.dirs", commaList(ssdDirs));
        }
        if (agentJar != null && "smallest".equals(System.getProperty("cold.pool"))) {
            all.put("tiered.ssd.cold.read.buffer.bytes", "1"); // as few as there can be
        }
        all.putAll(properties);
        return all;
    }

    /** Host and port that clients find the broker at. */
    String address() {
        String listener = Objects.requireNonNull(serverProperties().get("advertised.listeners"));
        return listener.replaceFirst(",.*", "").replaceFirst(".*//", "");
    }

    private static String commaList(List<Path> paths) {
        return paths.stream().map(Path::toString).collect(Collectors.joining(","));
    }

    private static List<Path> numbered(Path root, String name, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> root.resolve(name + i))
                .toList();
    }

    /**
     * Below the ephemeral range, so that no client takes the port while the broker is down. None is given twice, also
     * not by two JVMs that run tests side by side: the system property {@code fork} numbers them, from 1 to 4.
     */
    public static int freePort() {
        int first = FIRST_PORT + PORTS_OF_FORK * (Integer.getInteger("fork", 1) - 1);
        for (int tries = 0; tries < 1000; tries++) {
            int port = ThreadLocalRandom.current().nextInt(first, first + PORTS_OF_FORK);
            if (!GIVEN_PORTS.add(port)) {
                continue;
            }
            try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return probe.getLocalPort();
            } catch (IOException taken) {
                // the next one, then
            }
        }
        throw new IllegalStateException("no free port from " + first + " on");
    }
}

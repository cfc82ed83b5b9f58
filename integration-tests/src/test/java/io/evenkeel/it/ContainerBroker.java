/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import com.github.dockerjava.api.model.Bind;
import com.github.dockerjava.api.model.HostConfig;
import com.github.dockerjava.api.model.Volume;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Readiness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.output.OutputFrame;
import org.testcontainers.utility.DockerImageName;

/**
 * A broker in a container of the image that {@code it.image} names. One thread drives it.
 *
 * <p>The config's directories are mounted at the paths that they have outside, so that links mean the same inside and
 * outside. The container uses the host's network, so that the brokers of a cluster can reach one another. Each run is a
 * new container; the agent is the image's own.
 */
public final class ContainerBroker implements Broker {
    private static final Duration START_DEADLINE = Duration.ofMinutes(2);
    private static final int STOP_DEADLINE_SECONDS = 60;

    private final BrokerConfig config;
    private @Nullable GenericContainer<?> container;

    public ContainerBroker(BrokerConfig config) {
        this.config = config;
    }

    @Override
    public BrokerConfig config() {
        return config;
    }

    @Override
    public ContainerBroker start() {
        if (isAlive()) {
            throw new IllegalStateException("already running, pid " + pid());
        }
        close();
        GenericContainer<?> created = create();
        container = created;
        try {
            created.start();
            Readiness.await(this, START_DEADLINE);
        } catch (RuntimeException | Error notReady) {
            close();
            throw notReady;
        }
        return this;
    }

    @Override
    public void stop() {
        GenericContainer<?> current = container;
        if (current != null && isAlive()) {
            current.getDockerClient()
                    .stopContainerCmd(current.getContainerId())
                    .withTimeout(STOP_DEADLINE_SECONDS)
                    .exec();
        }
        close();
    }

    @Override
    public void kill() {
        close();
    }

    @Override
    public boolean isAlive() {
        GenericContainer<?> current = container;
        return current != null && current.isRunning();
    }

    @Override
    public long pid() {
        Long pid = Objects.requireNonNull(container, "never started")
                .getCurrentContainerInfo()
                .getState()
                .getPidLong();
        return Objects.requireNonNull(pid, "not running");
    }

    @Override
    public Path logFile() {
        return config.nodeDir().resolve("broker.log");
    }

    /** Removes the container, which ends its processes by SIGKILL. */
    @Override
    public void close() {
        GenericContainer<?> current = container;
        if (current != null) {
            container = null;
            current.stop();
        }
    }

    private GenericContainer<?> create() {
        List<Path> shared = new ArrayList<>(config.logDirs());
        shared.addAll(config.ssdDirs());
        shared.add(config.nodeDir());
        shared.forEach(ContainerBroker::openToAll);
        List<Bind> binds = shared.stream()
                .map(dir -> new Bind(dir.toString(), new Volume(dir.toString())))
                .toList();
        GenericContainer<?> created = new GenericContainer<>(DockerImageName.parse(System.getProperty("it.image")))
                .withNetworkMode("host")
                .withCreateContainerCmdModifier(command -> {
                    HostConfig host = Objects.requireNonNull(command.getHostConfig());
                    host.withBinds(binds);
                })
                .withEnv("CLUSTER_ID", "a2Fma2EtcGF0Y2hlcw")
                // All flags in one variable: the defaults of the start script would contradict them.
                .withEnv("KAFKA_HEAP_OPTS", String.join(" ", config.jvmFlags()))
                .withEnv("KAFKA_JVM_PERFORMANCE_OPTS", "-Djava.awt.headless=true")
                .withLogConsumer(this::append);
        config.serverProperties().forEach((key, value) -> created.withEnv(variable(key), value));
        if (config.agentJar() == null) {
            created.withEnv("KAFKA_OPTS", "");
        }
        return created;
    }

    /** The image's name for a key of {@code server.properties}. */
    private static String variable(String key) {
        return "KAFKA_" + key.toUpperCase(Locale.ROOT).replace('.', '_');
    }

    /** The broker runs as another user inside. */
    private static void openToAll(Path dir) {
        try {
            Files.createDirectories(dir);
            Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void append(OutputFrame frame) {
        if (frame.getType() == OutputFrame.OutputType.END) {
            return;
        }
        try {
            Files.write(logFile(), frame.getBytes(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

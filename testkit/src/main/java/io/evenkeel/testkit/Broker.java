/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * A Kafka broker, which is its own controller, on the directories of a {@link BrokerConfig}. One thread drives it.
 *
 * <p>A broker may be started again after it was stopped or killed, and another broker may be created on the same config
 * once it is down: the directories are the state, the broker is only a run on them.
 */
public interface Broker extends AutoCloseable {
    BrokerConfig config();

    /** Starts the broker and waits until it answers; formats the directories when they are new. */
    Broker start();

    /** Shuts the broker down cleanly (SIGTERM) and waits for its end; does nothing when it is down. */
    void stop();

    /** Kills the broker (SIGKILL) and waits for its end; does nothing when it is down. */
    void kill();

    boolean isAlive();

    /** The process id as this machine sees it. */
    long pid();

    /** The broker's MBeans; the caller closes the connection. */
    @SuppressWarnings("BanJNDI") // the answers come from a JVM that we started
    default JMXConnector jmx() throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(String.valueOf(pid()));
            try {
                return JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()));
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException e) {
            throw new IOException("cannot attach to pid " + pid(), e);
        }
    }

    /** The broker's output of all its runs. */
    Path logFile();

    /** The lines of {@link #logFile()} with that in them. */
    default List<String> said(String what) throws IOException {
        try (Stream<String> lines = Files.lines(logFile())) {
            return lines.filter(line -> line.contains(what)).toList();
        }
    }

    default String bootstrap() {
        return config().address();
    }

    default Broker restart() {
        stop();
        return start();
    }

    default Broker killAndStart() {
        kill();
        return start();
    }

    /** The least that a Kafka client needs to find this broker. */
    default Properties clientProperties() {
        Properties properties = new Properties();
        properties.put("bootstrap.servers", bootstrap());
        properties.put("reconnect.backoff.ms", "20");
        properties.put("reconnect.backoff.max.ms", "200");
        return properties;
    }

    /** Kills the broker and frees its resources; the directories stay. */
    @Override
    void close();
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Brokers as the benchmarks run them. Stateless. */
public final class LabBroker {
    /**
     * For socket buffers: Kafka's own defaults are no larger than a packet on the loopback interface. Each time such a
     * buffer is full, the sender waits 200 ms before its next probe.
     */
    public static final String AS_LARGE_AS_NEEDED = "-1";

    private LabBroker() {}

    /** The JVM flags for a heap of that size, {@code 512m} for instance. */
    public static List<String> heap(String size) {
        return List.of("-Xms" + size, "-Xmx" + size, "-XX:+UseG1GC");
    }

    /**
     * A stock broker as Kafka's own start script would run it in the lab's memory.
     *
     * @param jvmFlags more JVM flags
     */
    public static BrokerConfig config(Path dir, List<String> jvmFlags) {
        List<String> flags = new ArrayList<>(heap("512m"));
        flags.add("-XX:MaxGCPauseMillis=20");
        flags.add("-XX:InitiatingHeapOccupancyPercent=35");
        flags.add("-XX:+ExplicitGCInvokesConcurrent");
        flags.addAll(jvmFlags);
        return BrokerConfig.under(dir, 0, 0)
                .withJvmFlags(flags)
                .with("socket.receive.buffer.bytes", AS_LARGE_AS_NEEDED)
                .with("socket.send.buffer.bytes", AS_LARGE_AS_NEEDED);
    }

    /** Starts a broker in these control groups; returns when it answers requests. */
    public static ForkedBroker start(BrokerConfig config, List<Path> cgroups) throws IOException {
        ForkedBroker broker = new ForkedBroker(KafkaRuntime.find(), config);
        try {
            Process process = broker.launch();
            ControlGroups.enter(cgroups, process);
            return broker.awaitReady();
        } catch (IOException | RuntimeException | Error e) {
            broker.close();
            throw e;
        }
    }
}

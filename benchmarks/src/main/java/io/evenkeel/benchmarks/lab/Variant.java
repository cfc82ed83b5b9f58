/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** A broker under test, with its disks and its bounds. One thread drives it. */
public record Variant(String name, ForkedBroker broker, Disks disks) implements AutoCloseable {
    static final int SEGMENT_BYTES = 32 << 20;
    /**
     * For socket buffers: Kafka's own defaults are no larger than a packet on the loopback interface, and each time one
     * is full, the sender's next probe is 200 ms away.
     */
    static final String AS_LARGE_AS_NEEDED = "-1";

    private static final long SSD_CAPACITY_BYTES = 24L << 30;
    /** The heap that the lab's memory is meant for, and the other flags that Kafka's own start script sets. */
    private static final List<String> JVM = List.of(
            "-Xms512m",
            "-Xmx512m",
            "-XX:+UseG1GC",
            "-XX:MaxGCPauseMillis=20",
            "-XX:InitiatingHeapOccupancyPercent=35",
            "-XX:+ExplicitGCInvokesConcurrent");

    /** All on the HDD. */
    static Variant stock(Options options) throws IOException {
        return start("stock", config("stock", options), options);
    }

    /** Everything new on the SSD. */
    static Variant patched(Options options) throws IOException {
        BrokerConfig config = config("patched", options)
                .withSsdDirs(options.disks().ssd().resolve("patched"))
                .with("tiered.ssd.capacity.bytes", SSD_CAPACITY_BYTES)
                .with(options.patchedProperties())
                .patched();
        return start("patched", config, options);
    }

    private static BrokerConfig config(String name, Options options) {
        List<String> more = options.jvmFlags().stream()
                .map(flag -> flag.replace("%v", name))
                .toList();
        return config(options.dir().resolve(name), more)
                .withLogDirs(options.disks().hdd().resolve(name))
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("log.retention.ms", -1);
    }

    /**
     * A stock broker as Kafka's own start script would run it in the lab's memory.
     *
     * @param jvmFlags more of them
     */
    public static BrokerConfig config(Path dir, List<String> jvmFlags) {
        List<String> flags = new ArrayList<>(JVM);
        flags.addAll(jvmFlags);
        return BrokerConfig.under(dir, 0, 0)
                .withJvmFlags(flags)
                .with("socket.receive.buffer.bytes", AS_LARGE_AS_NEEDED)
                .with("socket.send.buffer.bytes", AS_LARGE_AS_NEEDED);
    }

    private static Variant start(String name, BrokerConfig config, Options options) throws IOException {
        return new Variant(name, start(config, options.cgroups(name)), options.disks());
    }

    /** A broker that answers, in these control groups from its first step on. */
    public static ForkedBroker start(BrokerConfig config, List<Path> cgroups) throws IOException {
        ForkedBroker broker = new ForkedBroker(KafkaRuntime.find(), config);
        try {
            Process process = broker.launch();
            for (Path cgroup : cgroups) {
                Files.writeString(cgroup.resolve("cgroup.procs"), String.valueOf(process.pid()));
            }
            return broker.awaitReady();
        } catch (IOException | RuntimeException | Error e) {
            broker.close();
            throw e;
        }
    }

    Properties client() {
        return broker.clientProperties();
    }

    @Override
    public void close() {
        broker.close();
    }
}

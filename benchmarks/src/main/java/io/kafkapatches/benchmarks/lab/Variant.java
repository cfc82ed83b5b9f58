/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.benchmarks.lab;

import io.kafkapatches.it.BrokerConfig;
import io.kafkapatches.it.ForkedBroker;
import io.kafkapatches.it.KafkaRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** A broker under test, with its disks and its bounds. One thread drives it. */
record Variant(String name, ForkedBroker broker, Disks disks) implements AutoCloseable {
    static final int SEGMENT_BYTES = 32 << 20;
    /**
     * For socket buffers: Kafka's own defaults are no larger than a packet on the loopback interface, and each time one is
     * full, the sender's next probe is 200 ms away.
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
        List<String> flags = new ArrayList<>(JVM);
        options.jvmFlags().forEach(flag -> flags.add(flag.replace("%v", name)));
        return BrokerConfig.under(options.dir().resolve(name), 0, 0)
                .withLogDirs(options.disks().hdd().resolve(name))
                .withJvmFlags(flags)
                .with("socket.receive.buffer.bytes", AS_LARGE_AS_NEEDED)
                .with("socket.send.buffer.bytes", AS_LARGE_AS_NEEDED)
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("log.retention.ms", -1);
    }

    private static Variant start(String name, BrokerConfig config, Options options) throws IOException {
        ForkedBroker broker = new ForkedBroker(KafkaRuntime.find(), config);
        try {
            Process process = broker.launch();
            for (Path cgroup : options.cgroups(name)) {
                Files.writeString(cgroup.resolve("cgroup.procs"), String.valueOf(process.pid()));
            }
            broker.awaitReady();
        } catch (IOException | RuntimeException | Error e) {
            broker.close();
            throw e;
        }
        return new Variant(name, broker, options.disks());
    }

    Properties client() {
        return broker.clientProperties();
    }

    @Override
    public void close() {
        broker.close();
    }
}

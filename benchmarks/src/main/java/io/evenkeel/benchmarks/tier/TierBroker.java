/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Backlog;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Usage;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.Tls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** A running broker of one variant, with its disks. One thread drives it. */
record TierBroker(Variant variant, ForkedBroker broker, LaggingOptions options) implements AutoCloseable {
    static final int SEGMENT_BYTES = 32 << 20;

    /** Stock, without an HDD: what the tier is to come near. */
    static final Variant ALL_SSD = new Variant("all-ssd", false);
    /** The same with memory for all that it reads: what the laggards cost others where no disk takes part. */
    static final Variant IN_MEMORY = new Variant("in-memory", false);
    /** Sends of segments on the HDD wait on the network thread. */
    static final Variant WITHOUT_COLD_READER = new Variant(
            "without-cold-reader", "without cold reader", true, Map.of("tiered.ssd.cold.read.enable", "false"));

    private static final List<Variant> WITHOUT_HDD = List.of(ALL_SSD, IN_MEMORY);
    private static final long SSD_CAPACITY_BYTES = 24L << 30;

    /** Starts a stock broker on one of the disks, or a patched one whose new segments are on the SSD. */
    static TierBroker start(Variant variant, LaggingOptions options) throws IOException {
        Path ssd = options.disks().ssd();
        List<String> jvmFlags = options.jvmFlags().stream()
                .map(flag -> flag.replace("%v", variant.name()))
                .toList();
        BrokerConfig config = LabBroker.config(options.dir().resolve(variant.name()), jvmFlags)
                .withLogDirs(
                        (WITHOUT_HDD.contains(variant) ? ssd : options.disks().hdd()).resolve(variant.name()))
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("log.retention.ms", -1);
        if (variant.patched()) {
            config = config.withSsdDirs(ssd.resolve(variant.name()))
                    .with("tiered.ssd.capacity.bytes", SSD_CAPACITY_BYTES);
        }
        config = variant.config(options.tls() ? Tls.listen(config) : config, options.patchedProperties());
        return new TierBroker(variant, LabBroker.start(config, options.cgroups(variant.name())), options);
    }

    String name() {
        return variant.name();
    }

    /** The work of devices and processors up to now. */
    Usage usage(List<ProcessHandle> clients) throws IOException {
        return Usage.now(options.disks(), broker.pid(), clients);
    }

    Properties client() {
        return options.tls() ? Tls.client(broker) : broker.clientProperties();
    }

    /** How much of the newest segments of a topic is in memory. */
    double residency(Backlog topic) throws IOException {
        return Residency.of(broker.config().logDirs().get(0), topic);
    }

    @Override
    public void close() {
        broker.close();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.LabBroker;
import io.evenkeel.benchmarks.lab.Usage;
import io.evenkeel.benchmarks.lab.Variant;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import java.io.IOException;
import java.util.List;
import java.util.Properties;

/** A running broker of one variant, with its disks. One thread drives it. */
record TierBroker(Variant variant, ForkedBroker broker, Disks disks) implements AutoCloseable {
    static final int SEGMENT_BYTES = 32 << 20;

    private static final long SSD_CAPACITY_BYTES = 24L << 30;

    /** Starts a stock broker on the HDD, or a patched one whose new segments are on the SSD. */
    static TierBroker start(Variant variant, LaggingOptions options) throws IOException {
        List<String> jvmFlags = options.jvmFlags().stream()
                .map(flag -> flag.replace("%v", variant.name()))
                .toList();
        BrokerConfig config = LabBroker.config(options.dir().resolve(variant.name()), jvmFlags)
                .withLogDirs(options.disks().hdd().resolve(variant.name()))
                .with("log.segment.bytes", SEGMENT_BYTES)
                .with("log.retention.ms", -1);
        if (variant.patched()) {
            config = config.withSsdDirs(options.disks().ssd().resolve(variant.name()))
                    .with("tiered.ssd.capacity.bytes", SSD_CAPACITY_BYTES);
        }
        ForkedBroker broker =
                LabBroker.start(variant.config(config, options.patchedProperties()), options.cgroups(variant.name()));
        return new TierBroker(variant, broker, options.disks());
    }

    String name() {
        return variant.name();
    }

    /** The work of devices and processors up to now. */
    Usage usage(List<ProcessHandle> clients) throws IOException {
        return Usage.now(disks, broker.pid(), clients);
    }

    Properties client() {
        return broker.clientProperties();
    }

    @Override
    public void close() {
        broker.close();
    }
}

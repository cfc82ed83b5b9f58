/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.tier;

import io.evenkeel.benchmarks.lab.Disks;
import io.evenkeel.benchmarks.lab.Usage;
import io.evenkeel.benchmarks.lab.Variant;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How much do lagging consumers slow down producers, and consumers that are up to date?
 *
 * <p>Stock and patched brokers, each with a backlog, get the same load in turn: a steady producer and a consumer that
 * is up to date, without and with consumers that read the oldest part of the backlog.
 * {@code benchmarks/lagging-consumers} makes the disks and bounds and runs this class.
 */
public final class LaggingConsumers {
    private static final long QUIET_BYTES = 1 << 20;
    private static final int QUIET_SECONDS = 3;
    private static final int UNSETTLED_SECONDS = 600;

    private final LaggingOptions options;
    private final LagTopics topics;
    private final List<TierBroker> brokers = new ArrayList<>();
    private final List<Phase> phases = new ArrayList<>();

    private LaggingConsumers(LaggingOptions options) {
        this.options = options;
        this.topics = LagTopics.of(options);
    }

    /** Arguments: see {@code benchmarks/lagging-consumers --help}. */
    public static void main(String[] args) throws Exception {
        LaggingConsumers benchmark = new LaggingConsumers(LaggingOptions.parse(args));
        try {
            benchmark.prepare();
            benchmark.run();
        } finally {
            benchmark.brokers.forEach(TierBroker::close);
        }
        LaggingReport.print(benchmark.options, benchmark.phases);
    }

    private void prepare() throws Exception {
        for (Variant variant : options.variants()) {
            TierBroker broker = TierBroker.start(variant, options);
            brokers.add(broker);
            say(variant.name() + ": producing the backlog");
            topics.fill(broker.client());
            settle();
        }
    }

    private void run() throws IOException, InterruptedException {
        for (TierBroker broker : brokers) {
            say(broker.name() + ": warming up");
            phase(broker, loads().get(1));
            settle();
        }
        for (int round = 0; round < options.rounds(); round++) {
            for (TierBroker broker : brokers) {
                List<OptionalInt> loads = loads();
                if (round % 2 == 1) {
                    // The order alternates, so that effects which grow with time meet all.
                    Collections.reverse(loads);
                }
                for (OptionalInt laggards : loads) {
                    Phase phase = phase(broker, laggards);
                    phases.add(phase);
                    say("round " + (round + 1) + ": " + LaggingReport.row(phase));
                    settle();
                }
            }
        }
    }

    /** First the load without laggards. */
    private List<OptionalInt> loads() {
        return Stream.concat(
                        Stream.of(OptionalInt.empty()),
                        options.laggards().stream().map(OptionalInt::of))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private Phase phase(TierBroker broker, OptionalInt laggards) throws IOException, InterruptedException {
        boolean tuned = broker.variant().equals(WritebackTuning.TUNED)
                && !options.disks().hddDevice().isEmpty();
        WritebackTuning tuning = tuned ? new WritebackTuning() : null;
        try {
            return Phase.run(broker, topics, laggards, options);
        } finally {
            if (tuning != null) {
                tuning.restore();
            }
        }
    }

    /** Waits until the writes that the last phase left behind have reached the disks. */
    private void settle() throws IOException, InterruptedException {
        if (options.disks().hddDevice().isEmpty()) {
            return;
        }
        Disks.writeBack(options.disks().hdd());
        Disks.writeBack(options.disks().ssd());
        int quiet = 0;
        long before = moved();
        for (int waited = 0; quiet < QUIET_SECONDS; waited++) {
            if (waited == UNSETTLED_SECONDS) {
                throw new IOException("the disks were still busy after " + UNSETTLED_SECONDS + " s");
            }
            TimeUnit.SECONDS.sleep(1);
            long now = moved();
            quiet = now - before < QUIET_BYTES ? quiet + 1 : 0;
            before = now;
        }
    }

    private long moved() throws IOException {
        return Usage.Device.of(options.disks().hddDevice()).bytes()
                + Usage.Device.of(options.disks().ssdDevice()).bytes();
    }

    private static void say(String progress) {
        System.err.println(progress);
    }
}

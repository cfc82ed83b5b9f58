/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * What do consumers that lag do to those that produce, and to those that are up to date?
 *
 * <p>A stock and a patched broker, each with a backlog, get the same load in turn: steady producing and a consumer that
 * is up to date, without and with consumers that read the oldest part of the backlog.
 * {@code benchmarks/lagging-consumers} makes the disks and bounds and calls this.
 */
public final class LaggingConsumers {
    private static final int PARTITIONS = 8;
    private static final int VALUE_BYTES = 1000;
    private static final long QUIET_BYTES = 1 << 20;
    private static final int QUIET_SECONDS = 3;
    private static final int UNSETTLED_SECONDS = 600;

    private final Options options;
    private final Backlog topic;
    private final Map<String, Variant> variants = new LinkedHashMap<>();
    private final List<Phase> phases = new ArrayList<>();

    private LaggingConsumers(Options options) {
        this.options = options;
        long records = options.backlogMib() * (1L << 20) / PARTITIONS / VALUE_BYTES;
        this.topic = new Backlog("events", PARTITIONS, VALUE_BYTES, records);
    }

    /** Arguments: see {@code benchmarks/lagging-consumers --help}. */
    public static void main(String[] args) throws Exception {
        LaggingConsumers benchmark = new LaggingConsumers(Options.parse(args));
        try {
            benchmark.prepare();
            benchmark.run();
        } finally {
            benchmark.variants.values().forEach(Variant::close);
        }
        Report.print(benchmark.options, benchmark.phases);
    }

    private void prepare() throws Exception {
        for (String name : options.variants()) {
            Variant variant = name.equals("stock") ? Variant.stock(options) : Variant.patched(options);
            variants.put(name, variant);
            say(name + ": producing the backlog");
            topic.create(variant.client());
            topic.fill(variant.client(), Variant.SEGMENT_BYTES);
            settle();
        }
    }

    private void run() throws IOException, InterruptedException {
        for (Variant variant : variants.values()) {
            say(variant.name() + ": warming up");
            Phase.run(variant, topic, true, options);
            settle();
        }
        for (int round = 0; round < options.rounds(); round++) {
            for (Variant variant : variants.values()) {
                // Which comes first alternates, so that what grows with time meets both.
                for (boolean lagging : round % 2 == 0 ? new boolean[] {false, true} : new boolean[] {true, false}) {
                    Phase phase = Phase.run(variant, topic, lagging, options);
                    phases.add(phase);
                    say("round " + (round + 1) + ": " + Report.row(phase));
                    settle();
                }
            }
        }
    }

    /** Waits until what the last phase left behind has reached the disks. */
    private void settle() throws IOException, InterruptedException {
        if (options.disks().hddDevice().isEmpty()) {
            return;
        }
        new ProcessBuilder("sync", "-f", options.disks().hdd().toString())
                .inheritIO()
                .start()
                .waitFor();
        int quiet = 0;
        long before = moved();
        for (int waited = 0; quiet < QUIET_SECONDS; waited++) {
            if (waited == UNSETTLED_SECONDS) {
                throw new IOException("the disks did not come to rest within " + UNSETTLED_SECONDS + " s");
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

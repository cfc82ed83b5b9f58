/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.it.flush.StutterProducer.Kind;
import io.evenkeel.it.flush.StutteringBrokers.Variant;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.disk.Disks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.kafka.common.TopicPartition;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * One of two disks of a broker stutters, under producers and groups of each kind: with flushing by rate, clients see no
 * error that stock does not show them under the same hangs, and nothing that was acknowledged or committed is lost.
 *
 * <p>To repeat a run, give it the seed that it printed: {@code -Dseed=…}.
 */
class StutteringDiskIT {
    private static final int SHORT_MS = 2_000;
    private static final int LONG_MS = 20_000;

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final long seed = Long.getLong("seed", ThreadLocalRandom.current().nextLong(1_000_000));

    /** What clients saw in one run, and what the broker reports of it. */
    private record Outcome(Set<String> errors, Map<String, Long> gauges) {}

    @Tag("long")
    @Test
    @Timeout(180)
    void oneBroker() throws Exception {
        compare(1, Stutter.drawn(seed, 3, SHORT_MS));
    }

    @Test
    @Timeout(1200)
    @Tag("long")
    void oneBrokerAndLongHangs() throws Exception {
        compare(1, Stutter.drawn(seed, 10, LONG_MS));
    }

    @Test
    @Timeout(1800)
    @Tag("long")
    void threeBrokersAndLongHangs() throws Exception {
        compare(3, Stutter.drawn(seed, 10, LONG_MS));
    }

    private void compare(int size, Stutter stutter) throws Exception {
        System.out.println("seed " + seed + ": " + stutter.hangs());
        Outcome stock = run(Variant.STOCK, size, stutter);
        Outcome patched = run(Variant.PATCHED, size, stutter);
        SoftAssertions all = new SoftAssertions();
        Set<String> more = new TreeSet<>(patched.errors());
        more.removeAll(stock.errors());
        all.assertThat(more)
                .as("errors that stock does not show, seed %d", seed)
                .isEmpty();
        all.assertThat(patched.gauges().get("BoundsExceeded"))
                .as("so that this test can fail: %s", patched.gauges())
                .isNotNull()
                .isPositive();
        all.assertAll();
    }

    private Outcome run(Variant variant, int size, Stutter stutter) throws Exception {
        Path home = Files.createDirectory(dir.resolve(variant.name()));
        StutteringBrokers cluster = new StutteringBrokers(variant, size, home, disks, brokers);
        ClientErrors errors = new ClientErrors();
        try (StutterLoad load = new StutterLoad(cluster, errors)) {
            load.start();
            load.awaitUnderWay();
            Map<String, Long> before = cluster.responseErrors();
            try {
                stutter.run(cluster.stuttering());
                load.end();
            } finally {
                errors.addResponses(before, cluster.responseErrors());
            }
            cluster.awaitInSync();
            verify(load, errors);
        } finally {
            System.out.printf("%s, %d brokers: errors %s, gauges %s%n", variant, size, errors, cluster.flushGauges());
        }
        return new Outcome(new TreeSet<>(errors.classes()), cluster.flushGauges());
    }

    private static void verify(StutterLoad load, ClientErrors errors) {
        AfterStutter after = new AfterStutter(load.client());
        after.awaitNoStuckTransaction();
        for (StutterProducer producer : load.producers()) {
            Kind kind = producer.kind();
            if (kind == Kind.IDEMPOTENT) {
                after.verify(producer.sent(), StutterLoad.PARTITIONS);
            } else {
                boolean acknowledged = kind != Kind.NO_ACKS;
                after.verifyPlain(kind.name(), acknowledged, producer.sent(), StutterLoad.PARTITIONS, errors);
            }
        }
        for (StutterTransactions transactions : load.transactions()) {
            after.verify(transactions.sent(), StutterLoad.PARTITIONS);
            TopicPartition partition = new TopicPartition(transactions.sent().topic(), 0);
            after.verifyCommitted(transactions.group(), partition, transactions.committedOffset());
        }
        for (StutterGroup group : load.groups()) {
            assertThat(group.committed()).as("committed by " + group.group()).isNotEmpty();
            group.committed().forEach((partition, offset) -> after.verifyCommitted(group.group(), partition, offset));
        }
    }
}

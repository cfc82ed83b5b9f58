/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.flush;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.it.flush.StutteringBrokers.Variant;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.disk.Disks;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@link StutteringDiskIT} with clients that are not Java: they take other errors as final than Kafka's own do. Run
 * {@code integration-tests/clients/install} first.
 */
@Tag("clients")
@Timeout(1200)
class OtherClientsIT {
    private static final int HANGS = 4;
    private static final int LONGEST_MS = 20_000;
    private static final int PARTITIONS = 4;
    private static final String PREFIX = "other-";
    private static final String PLAIN = "plain";
    private static final String NO_ACKS = "no-acks";
    private static final List<String> KINDS = List.of(PLAIN, "idempotent", NO_ACKS, "transactional");
    private static final Path INSTALLED =
            Path.of(Objects.requireNonNullElse(System.getProperty("clients"), "target/clients"));

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    private final long seed = Long.getLong("seed", ThreadLocalRandom.current().nextLong(1_000_000));

    /** Of the last run. */
    private Map<String, Long> gauges = Map.of();

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void librdkafka(int size) throws Exception {
        Path program = Path.of("clients/python/stutter_client.py").toAbsolutePath();
        compare("librdkafka", List.of(installed("python/bin/python"), program.toString()), size);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void franzGo(int size) throws Exception {
        compare("franz-go", List.of(installed("go-client")), size);
    }

    private static String installed(String file) {
        Path program = INSTALLED.resolve(file).toAbsolutePath();
        assertThat(program)
                .as("run integration-tests/clients/install before this test")
                .exists();
        return program.toString();
    }

    private void compare(String client, List<String> program, int size) throws Exception {
        Stutter stutter = Stutter.drawn(seed, HANGS, LONGEST_MS);
        System.out.println(client + ", seed " + seed + ": " + stutter.hangs());
        Set<String> stock = run(Variant.STOCK, client, program, size, stutter);
        Set<String> more = new TreeSet<>(run(Variant.PATCHED, client, program, size, stutter));
        more.removeAll(stock);
        assertThat(more)
                .as("errors of %s that stock does not show, seed %d", client, seed)
                .isEmpty();
        assertThat(gauges.get("BoundsExceeded"))
                .as("so that this test can fail: %s", gauges)
                .isNotNull()
                .isPositive();
    }

    private Set<String> run(Variant variant, String client, List<String> program, int size, Stutter stutter)
            throws Exception {
        Path home = Files.createDirectory(dir.resolve(variant.name()));
        StutteringBrokers cluster = new StutteringBrokers(variant, size, home, disks, brokers);
        KINDS.forEach(kind -> cluster.create(PREFIX + kind, PARTITIONS));
        List<String> command = new ArrayList<>(program);
        command.addAll(List.of(cluster.bootstrap(), PREFIX, "" + PARTITIONS));
        ClientErrors errors = new ClientErrors();
        try (OtherClient clients = new OtherClient(client, command, errors)) {
            clients.awaitUnderWay();
            Map<String, Long> before = cluster.responseErrors();
            stutter.run(cluster.stuttering());
            clients.end();
            errors.addResponses(before, cluster.responseErrors());
            cluster.awaitInSync();
            verify(cluster, clients, errors);
        } finally {
            gauges = cluster.flushGauges();
            System.out.printf("%s, %s, %d brokers: errors %s, gauges %s%n", client, variant, size, errors, gauges);
        }
        return errors.classes();
    }

    private static void verify(StutteringBrokers cluster, OtherClient clients, ClientErrors errors) {
        AfterStutter after = new AfterStutter(cluster.client());
        after.awaitNoStuckTransaction();
        assertThat(clients.sent()).hasSize(KINDS.size());
        clients.sent().forEach((topic, sent) -> {
            assertThat(sent.acknowledgedCount()).as(topic).isPositive();
            String kind = topic.substring(PREFIX.length());
            if (kind.equals(PLAIN) || kind.equals(NO_ACKS)) {
                after.verifyPlain(kind, kind.equals(PLAIN), sent, PARTITIONS, errors);
            } else {
                after.verify(sent, PARTITIONS);
            }
        });
        assertThat(clients.commits()).isNotEmpty();
        clients.commits().forEach(one -> after.verifyCommitted(one.group(), one.partition(), one.offset()));
    }
}

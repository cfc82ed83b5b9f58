/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.it.StartRefusal;
import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Other agents in the broker's JVM, named before ours and after it, and ours named twice. */
@Tag("long")
class OtherAgentsIT {
    private static final String OURS = "-javaagent:" + System.getProperty("agent.jar");

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theJmxExporterServesOurGauges(boolean before) throws Exception {
        int port = BrokerConfig.freePort();
        Path rules = Files.writeString(dir.resolve("exporter.yml"), "rules:\n- pattern: '.*'\n");
        String exporter = other("jmx.exporter.jar") + "=localhost:" + port + ":" + rules;
        worksWith(before ? List.of(exporter, OURS) : List.of(OURS, exporter));
        HttpResponse<String> metrics = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/metrics"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(metrics.body()).containsPattern("(?m)^kafka_log_TieredSsd_.*SegmentsOnlyCache");
    }

    @Test
    void jacocoWorksAfterOurs() throws Exception {
        Path coverage = dir.resolve("coverage.exec");
        worksWith(List.of(OURS, jacoco(coverage))).stop();
        assertThat(coverage).isNotEmptyFile();
    }

    /** It changes each class on its way into the JVM, so the classes that we replace are not those we know. */
    @Test
    void jacocoBeforeOursIsRefused() throws Exception {
        assertThat(StartRefusal.of(config(List.of(jacoco(dir.resolve("coverage.exec")), OURS))))
                .contains("the broker was stopped before it opened a log", "perhaps another agent");
    }

    @Test
    void oursTwiceWorksOnce() throws Exception {
        Broker broker = worksWith(List.of(OURS, OURS));
        assertThat(Files.readString(broker.logFile()))
                .containsOnlyOnce("the agent is given more than once: " + OURS)
                .containsOnlyOnce(" woven into Kafka ");
    }

    private Broker worksWith(List<String> agents) {
        Broker broker = brokers.start(config(agents));
        Records records = new Records("agents", 1, 1000);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), 1000);
        assertThat(SegmentFiles.of(broker.config()).of("agents").in(State.ONLY_CACHE))
                .isNotEmpty();
        records.verifyAll(broker.clientProperties());
        return broker;
    }

    private BrokerConfig config(List<String> agents) {
        BrokerConfig config = BrokerConfig.under(dir.resolve("node"), 1, 1).with("tiered.ssd.capacity.bytes", 64 << 20);
        List<String> flags = new ArrayList<>(config.jvmFlags());
        flags.addAll(agents);
        return config.with("log.segment.bytes", 1 << 20).withJvmFlags(flags);
    }

    private static String jacoco(Path coverage) {
        return other("jacoco.jar") + "=destfile=" + coverage;
    }

    /** @param jar the system property that names it */
    private static String other(String jar) {
        return "-javaagent:" + Objects.requireNonNull(System.getProperty(jar), jar);
    }
}

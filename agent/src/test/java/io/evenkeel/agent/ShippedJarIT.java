/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that operators get, in JVMs of its own. */
@Tag("slow")
class ShippedJarIT {
    private static final String WOVEN =
            "evenkeel \\S+: tiered-ssd, purgatory-wheel, flush-ratelimit woven into Kafka \\S+ "
                    + "\\(\\d{2} hook points, 5 classes replaced\\)";

    private static final String TOOL = "io.evenkeel.tiered.tool.TieredSsdTool";

    @TempDir
    Path dir;

    @Test
    void holdsOurClassesAndARelocatedByteBuddyOnly() throws IOException {
        try (JarFile jar = new JarFile(Forked.AGENT)) {
            List<String> files = jar.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(ZipEntry::getName)
                    .toList();
            assertThat(files.stream().filter(name -> !name.startsWith("io/evenkeel/")))
                    .containsExactlyInAnyOrder(
                            "META-INF/MANIFEST.MF",
                            "META-INF/LICENSE",
                            "META-INF/NOTICE",
                            "META-INF/licenses/ASM",
                            "META-INF/services/io.evenkeel.core.kafka.PatchConfig");
            assertThat(files)
                    .doesNotHaveDuplicates()
                    .contains("io/evenkeel/tiered/kafka/TieredSsdHooks.class")
                    .anyMatch(name -> name.startsWith("io/evenkeel/core/"));
            assertThat(jar.getManifest().getMainAttributes().getValue("Implementation-Version"))
                    .isNotEmpty();
        }
    }

    @Test
    void theJarAloneSaysHowToRunItsTool() throws Exception {
        Forked alone = Forked.run(List.of("-jar", Forked.AGENT), entry -> false, "status");
        assertThat(alone.exitCode()).isEqualTo(2);
        assertThat(alone.out()).isEmpty();
        assertThat(alone.err()).hasLineCount(1).contains("bin/kafka-run-class.sh " + TOOL + " --help");
    }

    @Test
    void theToolRunsBesideTheJarsOfABroker() throws Exception {
        Forked tool = Forked.run(List.of("-javaagent:" + Forked.AGENT), TOOL, "--help");
        assertThat(tool.err()).isEmpty();
        assertThat(tool.exitCode()).isZero();
        assertThat(tool.out())
                .startsWith("usage: tiered-ssd")
                .contains("preflight", "status", "explain", "verify", "evictions", "drain");
    }

    @Test
    void aBrokerGetsOneLine() throws Exception {
        Forked stock = Forked.run(List.of(), "kafka.Kafka", "--help");
        Forked broker = Forked.run(List.of("-javaagent:" + Forked.AGENT), "kafka.Kafka", "--help");
        assertThat(broker.said()).singleElement().asString().matches(WOVEN);
        assertThat(broker.exitCode()).isEqualTo(stock.exitCode());
        assertThat(broker.out()).isEqualTo(stock.out());
    }

    @Test
    void loggingAndKafkaWaitForTheBroker() throws Exception {
        Path initialized = dir.resolve("initialized");
        Forked.run(
                List.of("-javaagent:" + Forked.AGENT, "-Xlog:class+init=info:file=" + initialized + ":none"),
                "kafka.Kafka",
                "--help");
        assertThat(Files.readAllLines(initialized).stream()
                        .filter(line -> line.matches(".* Initializing '(org/slf4j|org/apache|kafka)/.*"))
                        .findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains("'kafka/Kafka'"));
    }

    @Test
    void theRelocatedByteBuddyWeaves() throws Exception {
        Path loaded = dir.resolve("loaded");
        Forked forced = Forked.run(
                List.of(
                        "-javaagent:" + Forked.AGENT + "=force=true,dump=" + dir,
                        "-Xlog:class+load:file=" + loaded + ":none"),
                OpenRecords.class.getName(),
                dir.resolve("0.log").toString());
        assertThat(forced.said()).singleElement().asString().matches(WOVEN);
        assertThat(forced.out()).isEqualTo("deleted: true\n");
        assertThat(forced.exitCode()).isZero();
        assertThat(dir).isDirectoryContaining("glob:**.FileRecords.class").isDirectoryNotContaining("glob:**/java.*");
        assertThat(loaded)
                .content()
                .contains("io.evenkeel.shaded.bytebuddy.asm.Advice ")
                .doesNotContain("net.bytebuddy")
                .contains("io.evenkeel.tiered.kafka.TieredSsdHooks "); // only woven code names it
    }

    @Test
    void aBrokerThatDoesNotFitIsNotStarted() throws Exception {
        Forked broker = Forked.run(
                List.of("-javaagent:" + Forked.AGENT),
                jar -> !jar.contains("kafka-storage-4"),
                "kafka.Kafka",
                "--help");
        assertThat(broker.exitCode()).isEqualTo(1);
        assertThat(broker.out()).isEmpty();
        assertThat(broker.said()).singleElement().asString().contains("stopped before it opened a log");
        assertThat(broker.err()).contains("hook:     new LogConfig.LogConfigDef\n", "Kafka:    4.3.1\n");
    }

    @Test
    void whatDoesNotFitRunsAsStockWhenAskedTo() throws Exception {
        Forked stock = Forked.run(List.of(), jar -> !jar.contains("kafka-storage-4"), "kafka.Kafka", "--help");
        Forked broker = Forked.run(
                List.of("-javaagent:" + Forked.AGENT + "=on.mismatch=skip"),
                jar -> !jar.contains("kafka-storage-4"),
                "kafka.Kafka",
                "--help");
        assertThat(broker.said())
                .satisfiesExactly(
                        line -> assertThat(line).contains("WARNING", "tiered-ssd", "new LogConfig.LogConfigDef"),
                        line -> assertThat(line).contains("WARNING", "flush-ratelimit", "new UnifiedLog"),
                        line -> assertThat(line).contains("purgatory-wheel woven into", "(0 hook points, 5 classes"));
        assertThat(broker.exitCode()).isEqualTo(stock.exitCode());
        assertThat(broker.out()).isEqualTo(stock.out());
    }

    @Test
    void aWrongOptionStopsABrokerWithOneLine() throws Exception {
        Forked broker = Forked.run(List.of("-javaagent:" + Forked.AGENT + "=on.mismach=skip"), "kafka.Kafka", "--help");
        assertThat(broker.exitCode()).isEqualTo(1);
        assertThat(broker.out()).isEmpty();
        assertThat(broker.err())
                .hasLineCount(1)
                .endsWith("unknown agent option 'on.mismach', did you mean 'on.mismatch'?\n");
    }

    @Test
    void whoGivesTheAgentTwiceIsToldSoAndTheFirstIsInCharge() throws Exception {
        Path copy = Files.copy(Path.of(Forked.AGENT), dir.resolve("another name.jar"));
        String one = "-javaagent:" + Forked.AGENT;
        String other = "-javaagent:" + copy + "=on.mismatch=nonsense";
        assertGivenTwice(Map.of(), List.of(one, one), one + ". ");
        assertGivenTwice(Map.of(), List.of(one, other), one + " " + other + ". ");
        assertGivenTwice(
                Map.of("JAVA_TOOL_OPTIONS", one, "KAFKA_OPTS", one),
                List.of(one),
                one + " (see JAVA_TOOL_OPTIONS, KAFKA_OPTS). ");
    }

    private static void assertGivenTwice(Map<String, String> environment, List<String> jvmOptions, String where)
            throws IOException, InterruptedException {
        Forked broker = Forked.run(environment, jvmOptions, "kafka.Kafka", "--version");
        assertThat(broker.said())
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line).matches(WOVEN),
                        line -> assertThat(line)
                                .endsWith(": the agent is given more than once: " + where
                                        + "The first one is in charge and this one does nothing. Keep one of them."));
        assertThat(broker.exitCode()).isZero();
        assertThat(broker.out()).startsWith("4.");
    }

    @Test
    void aClassThatChangesWhileItLoadsStopsTheJvm() throws Exception {
        Forked meddled = Forked.run(
                List.of(
                        "-javaagent:" + MeddlingAgent.jar(dir),
                        "-javaagent:" + Forked.AGENT + "=force=true,on.mismatch=skip"),
                OpenRecords.class.getName(),
                dir.resolve("0.log").toString());
        assertThat(meddled.exitCode()).isEqualTo(1);
        assertThat(meddled.out()).isEmpty();
        assertThat(meddled.err()).contains("hook:     FileRecords.openChannel\n", "perhaps another agent");
        assertThat(dir.resolve("0.log")).doesNotExist();
    }
}

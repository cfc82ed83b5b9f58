/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.kafkapatches.it.model.ModelDriver;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations on two real logs of Kafka's, one stock and one tiered, each in a process of its own: every answer and every
 * byte must be the same, whatever the tier does meanwhile.
 *
 * <p>{@code -Dseeds} says how many runs and {@code -Dseed} which alone; a failure names its seed and the first operation that
 * answered differently.
 */
class UnifiedLogModelIT {
    private static final Path AGENT = Path.of(System.getProperty("agent.jar", "no-agent.jar"));
    private static final int OPERATIONS = 1000;
    private static final long RUN_DEADLINE_SECONDS = 180;
    private static final int LINES_BEFORE = 12;

    @TempDir
    Path root = Path.of("target");

    /** A process's life: what it does, and how it ends. */
    private record Run(int number, int operations, String end) {}

    /** The last one only has to clean up what the one before it left. */
    private static final List<Run> RUNS =
            List.of(new Run(1, OPERATIONS, "kill"), new Run(2, OPERATIONS, "stop"), new Run(3, 1, "stop"));

    static LongStream seeds() {
        String one = System.getProperty("seed", "");
        return one.isEmpty()
                ? LongStream.rangeClosed(1, Integer.getInteger("seeds", 4))
                : LongStream.of(Long.parseLong(one));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void tieredLogAnswersAsStock(long seed) throws Exception {
        BrokerConfig stock = prepare("stock", seed);
        BrokerConfig tiered = prepare("tiered", seed);
        for (Run run : RUNS) {
            Process one = start(stock, List.of(), seed, run);
            Process other = start(tiered, List.of("-javaagent:" + AGENT + "=force=true"), seed, run);
            boolean stockEnded = awaitEnd(one, stock);
            boolean tieredEnded = awaitEnd(other, tiered);
            compare(stock, tiered, seed);
            assertThat(stockEnded && tieredEnded)
                    .as("seed %d: both runs came to their end", seed)
                    .isTrue();
        }
        Map<String, Long> seen = seen(tiered);
        System.out.println("seed " + seed + ": " + seen);
        assertThat(seen)
                .as("seed %d: the tier was busy", seed)
                .allSatisfy((what, count) -> assertThat(count).as(what).isPositive());
        assertThat(seen(stock).values()).containsOnly(0L);
        SegmentFiles files = SegmentFiles.of(tiered);
        assertThat(files.strays()).as("seed %d: strays", seed).isEmpty();
        for (SegmentFiles.Segment segment : files.in(SegmentFiles.State.CACHED)) {
            assertThat(segment.ssdFile()).as("seed %d", seed).hasSameBinaryContentAs(segment.path());
        }
    }

    private BrokerConfig prepare(String name, long seed) throws IOException {
        boolean large = seed % 4 == 0;
        BrokerConfig config = BrokerConfig.under(root.resolve(name), 2, 1)
                .with("tiered.ssd.capacity.bytes", large ? 12 << 20 : 3_500_000)
                .with("tiered.ssd.high.watermark.ratio", "0.35")
                .with("tiered.ssd.low.watermark.ratio", "0.32")
                .with("tiered.ssd.sync.interval.ms", 1);
        Path[] dirs = {
            config.logDirs().get(0), config.logDirs().get(1), config.ssdDirs().get(0)
        };
        for (Path dir : dirs) {
            Files.createDirectories(dir);
        }
        for (int i = 0; i < 2; i++) {
            Files.writeString(dirs[i].resolve("meta.properties"), """
                    version=1
                    cluster.id=a2Fma2EtcGF0Y2hlcw
                    node.id=1
                    directory.id=AAAAAAAAAAAAAAAAAAAAB%s
                    """.formatted(i == 0 ? "A" : "Q"));
        }
        StringBuilder properties = new StringBuilder();
        config.serverProperties("localhost")
                .forEach((key, value) ->
                        properties.append(key).append('=').append(value).append('\n'));
        Files.writeString(config.nodeDir().resolve("server.properties"), properties);
        return config;
    }

    private static Process start(BrokerConfig config, List<String> agent, long seed, Run run) throws Exception {
        List<String> flags = new ArrayList<>(config.jvmFlags());
        flags.addAll(agent);
        Path log4j = config.nodeDir().resolve("log4j2.properties");
        Files.writeString(log4j, """
                status = warn
                appender.out.type = Console
                appender.out.name = out
                appender.out.layout.type = PatternLayout
                appender.out.layout.pattern = %d{HH:mm:ss.SSS} %-5p %m (%c{1})%n%throwable
                rootLogger.level = warn
                rootLogger.appenderRef.out.ref = out
                """);
        flags.add("-Dlog4j2.configurationFile=" + log4j);
        Path classes = Path.of(ModelDriver.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
        List<String> arguments = List.of(
                config.nodeDir().toString(),
                String.valueOf(seed),
                String.valueOf(run.number()),
                String.valueOf(run.operations()),
                run.end());
        return new ProcessBuilder(
                        KafkaRuntime.find().command(List.of(classes), flags, ModelDriver.class.getName(), arguments))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        config.nodeDir().resolve("output.txt").toFile()))
                .start();
    }

    private static boolean awaitEnd(Process process, BrokerConfig config) throws Exception {
        try {
            boolean ended = process.waitFor(RUN_DEADLINE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
            if (!ended) {
                System.err.println(Readiness.tail(config.nodeDir().resolve("output.txt")));
            }
            return ended;
        } finally {
            process.destroyForcibly();
        }
    }

    private static void compare(BrokerConfig stock, BrokerConfig tiered, long seed) throws IOException {
        List<String> expected = transcript(stock);
        List<String> found = transcript(tiered);
        for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
            String before = String.join(
                    "\n",
                    expected.subList(
                            Math.max(0, Math.min(i, expected.size()) - LINES_BEFORE), Math.min(i, expected.size())));
            assertThat(i < found.size() ? found.get(i) : "(its transcript ends here)")
                    .as("seed %d: what the tiered log answers, after\n%s\n", seed, before)
                    .isEqualTo(i < expected.size() ? expected.get(i) : "(stock's transcript ends here)");
        }
    }

    private static List<String> transcript(BrokerConfig config) throws IOException {
        Path file = config.nodeDir().resolve("transcript.txt");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    /** What the tier was seen to do, over all runs. */
    private static Map<String, Long> seen(BrokerConfig config) throws IOException {
        Map<String, Long> seen = new TreeMap<>();
        for (Run run : RUNS) {
            Properties properties = new Properties();
            try (Reader reader =
                    Files.newBufferedReader(config.nodeDir().resolve("tier-" + run.number() + ".properties"))) {
                properties.load(reader);
            }
            properties.forEach(
                    (name, value) -> seen.merge(name.toString(), Long.parseLong(value.toString()), Long::sum));
        }
        return seen;
    }
}

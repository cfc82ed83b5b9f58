/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations on two real logs of Kafka's, one stock and one tiered, each in processes of its own: every answer
 * and every byte must be the same, whatever the tier does meanwhile.
 *
 * <p>{@code -Dseeds} says how many, {@code -Dseed} which alone; a failure names its seed and the first operation that
 * answered differently.
 */
class UnifiedLogModelIT {
    private static final int OPERATIONS = 1000;
    private static final int LINES_BEFORE = 12;

    /** One process's life. */
    private record Run(int number, int operations, String end) {}

    /** The last run only has to clean up the files that the run before it left. */
    private static final List<Run> RUNS =
            List.of(new Run(1, OPERATIONS, "kill"), new Run(2, OPERATIONS, "stop"), new Run(3, 1, "stop"));

    @TempDir
    Path dir = Path.of("target");

    static LongStream seeds() {
        String one = System.getProperty("seed", "");
        return one.isEmpty()
                ? LongStream.rangeClosed(1, Integer.getInteger("seeds", 4))
                : LongStream.of(Long.parseLong(one));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void tieredLogAnswersAsStock(long seed) throws Exception {
        boolean large = seed % 4 == 0;
        // Room for everything written, but a low watermark: the oldest segments are evicted early.
        BrokerConfig config = BrokerConfig.under(dir.resolve("tiered"), 2, 1)
                .patched()
                .with("tiered.ssd.capacity.bytes", large ? 128 << 20 : 70_000_000)
                .with("tiered.ssd.high.watermark.ratio", large ? "0.033" : "0.0006")
                .with("tiered.ssd.low.watermark.ratio", large ? "0.03" : "0.0004")
                .with("tiered.ssd.copy.interval.ms", 1);
        try (ModelProcess tiered = new ModelProcess(config, seed);
                ModelProcess stock = new ModelProcess(BrokerConfig.under(dir.resolve("stock"), 2, 1), seed)) {
            run(stock, tiered, seed);
            Map<String, Long> seen = tiered.seen(RUNS.size());
            System.out.println("seed " + seed + ": " + seen);
            assertThat(seen)
                    .as("seed %d: what the tier did meanwhile", seed)
                    .allSatisfy((what, count) -> assertThat(count).as(what).isPositive());
            assertThat(stock.seen(RUNS.size()).values()).containsOnly(0L);
        }
        SegmentFiles files = SegmentFiles.of(config);
        assertThat(files.strays()).as("seed %d: strays", seed).isEmpty();
        for (SegmentFiles.Segment segment : files.in(SegmentFiles.State.CACHED)) {
            assertThat(segment.ssdFile()).as("seed %d", seed).hasSameBinaryContentAs(segment.path());
        }
    }

    /** Stock is one run behind, because it has to roll when the tiered log did. */
    private static void run(ModelProcess stock, ModelProcess tiered, long seed) throws Exception {
        Run first = RUNS.get(0);
        tiered.start(first.number(), first.operations(), first.end(), null);
        for (Run run : RUNS) {
            boolean tieredEnded = tiered.awaitEnd();
            stock.start(run.number(), run.operations(), run.end(), tiered.rolls(run.number()));
            if (run.number() < RUNS.size()) {
                Run next = RUNS.get(run.number());
                tiered.start(next.number(), next.operations(), next.end(), null);
            }
            boolean stockEnded = stock.awaitEnd();
            compare(stock.transcript(run.number()), tiered.transcript(run.number()), seed, run.number());
            assertThat(stockEnded && tieredEnded)
                    .as("seed %d: run %d came to its end", seed, run.number())
                    .isTrue();
        }
    }

    private static void compare(List<String> expected, List<String> found, long seed, int run) throws IOException {
        for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
            int end = Math.min(i, expected.size());
            List<String> before = expected.subList(Math.max(0, end - LINES_BEFORE), end);
            assertThat(i < found.size() ? found.get(i) : "(its transcript ends here)")
                    .as(
                            "seed %d, run %d: what the tiered log answers, after\n%s\n",
                            seed, run, String.join("\n", before))
                    .isEqualTo(i < expected.size() ? expected.get(i) : "(stock's transcript ends here)");
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.broker;

import io.evenkeel.testkit.Footprint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Distinguishes growth from noise. The samples are taken at steady intervals; the least of the last quarter may exceed
 * the least of the second quarter by a little. Temporary objects make single samples larger; a leak makes all of them
 * larger. The first quarter does not count, because caches fill and code is compiled. Not thread safe.
 */
final class Flatness {
    /** With fewer samples a quarter is too small to judge. */
    static final int ENOUGH = 12;

    private static final List<Measure> MEASURES = List.of(
            new Measure("heap after GC, bytes", Footprint::heapBytes, 8 << 20),
            new Measure("objects of our classes", Footprint::ownObjects, 500),
            new Measure("direct memory, bytes", Footprint::directBytes, 2 << 20),
            new Measure("mapped files", Footprint::mappedFiles, 8),
            new Measure("open files", Footprint::openFiles, 8),
            new Measure("open files without a name", Footprint::deletedFiles, 2),
            new Measure("threads", Footprint::threads, 2));

    private final List<Footprint> samples = new ArrayList<>();

    /** @param slack the difference that does not count as growth */
    private record Measure(String name, ToLongFunction<Footprint> value, long slack) {
        long least(List<Footprint> samples) {
            return samples.stream().mapToLong(value).min().orElseThrow();
        }
    }

    void add(Footprint sample) {
        samples.add(sample);
    }

    boolean isJudgeable() {
        return samples.size() >= ENOUGH;
    }

    /** One line for each measure that grew; none when all is flat. */
    List<String> growth() {
        int quarter = samples.size() / 4;
        List<Footprint> early = samples.subList(quarter, 2 * quarter);
        List<Footprint> late = samples.subList(samples.size() - quarter, samples.size());
        List<String> grown = new ArrayList<>();
        for (Measure measure : MEASURES) {
            long before = measure.least(early);
            long after = measure.least(late);
            String line =
                    "%s: at least %d in the second quarter, %d in the last".formatted(measure.name(), before, after);
            System.out.println(line);
            if (after > before + measure.slack()) {
                grown.add(line);
            }
        }
        return grown;
    }
}

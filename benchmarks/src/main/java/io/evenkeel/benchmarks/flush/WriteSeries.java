/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Sampler.Sample;
import io.evenkeel.benchmarks.lab.Usage.Device;
import io.evenkeel.benchmarks.lab.Window;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The write rate of a device in each tenth of a second of a window. Immutable.
 *
 * @param mb megabytes a second
 */
record WriteSeries(List<Double> mb) {
    static final int PER_SECOND = 10;

    private static final long TENTH_NANOS = TimeUnit.SECONDS.toNanos(1) / PER_SECOND;

    static WriteSeries of(List<Sample<Device>> samples, Window window) {
        int tenths = (int) (window.seconds() * PER_SECOND);
        return new WriteSeries(IntStream.range(0, tenths)
                .mapToObj(tenth -> window.fromNanos() + tenth * TENTH_NANOS)
                .map(from -> (writtenAt(from + TENTH_NANOS, samples) - writtenAt(from, samples)) / 1e6 * PER_SECOND)
                .toList());
    }

    /** The bytes written up to an instant; between two samples the rate counts as steady. */
    private static double writtenAt(long nanos, List<Sample<Device>> samples) {
        int after = 1;
        while (after < samples.size() - 1 && samples.get(after).atNanos() - nanos < 0) {
            after++;
        }
        Sample<Device> left = samples.get(after - 1);
        Sample<Device> right = samples.get(after);
        double part = (double) (nanos - left.atNanos()) / (right.atNanos() - left.atNanos());
        long leftBytes = left.value().writtenBytes();
        return leftBytes + part * (right.value().writtenBytes() - leftBytes);
    }

    /** The rate of the second that ends with each tenth. */
    List<Double> overSeconds() {
        return IntStream.rangeClosed(0, mb.size() - PER_SECOND)
                .mapToObj(first -> mean(mb.subList(first, first + PER_SECOND)))
                .toList();
    }

    double mean() {
        return mean(mb);
    }

    /** The highest second over the mean; 0 when nothing was written. */
    double peakToMean() {
        return peakToMean(tenth -> true);
    }

    /** The same for some of the tenths: a second counts when all of its tenths do. */
    double peakToMean(IntPredicate counts) {
        List<Double> seconds = overSeconds();
        double peak = IntStream.range(0, seconds.size())
                .filter(first -> IntStream.range(first, first + PER_SECOND).allMatch(counts))
                .mapToDouble(seconds::get)
                .max()
                .orElse(0);
        double mean = IntStream.range(0, mb.size())
                .filter(counts)
                .mapToDouble(mb::get)
                .average()
                .orElse(0);
        return mean == 0 ? 0 : peak / mean;
    }

    /** 0 of none. */
    static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.sizing;

import java.util.List;

/**
 * What clients and other brokers do to one broker. Each partition gets the same part of it. Immutable.
 *
 * @param bytesPerSecond appended, with replication
 * @param fanOut how often each byte is read
 * @param lags of the readers that lag; the others read at the end of the log
 * @param partitions replicas of this broker
 */
public record Load(double bytesPerSecond, double fanOut, List<Lag> lags, int partitions, long segmentBytes) {
    /**
     * Readers that lag evenly between two times.
     *
     * @param share of all bytes that are read
     */
    public record Lag(double share, long fromSeconds, long toSeconds) {
        private static final int POINTS = 8;

        public Lag {
            Machine.require(share > 0 && share <= 1, "a lag's share must be above 0 and at most 100 %", share);
            Machine.require(fromSeconds >= 0, "a lag must not be negative", fromSeconds);
            Machine.require(toSeconds >= fromSeconds, "a lag's end must not be before its beginning", toSeconds);
        }

        /** Some lags that stand for all, each for the same part. */
        long[] points() {
            long[] points = new long[fromSeconds == toSeconds ? 1 : POINTS];
            for (int i = 0; i < points.length; i++) {
                points[i] = fromSeconds + Math.round((i + 0.5) / points.length * (toSeconds - fromSeconds));
            }
            return points;
        }
    }

    public Load {
        Machine.require(bytesPerSecond > 0, "the inflow must be positive", bytesPerSecond);
        Machine.require(fanOut >= 0, "the fan-out must not be negative", fanOut);
        Machine.require(partitions > 0, "the number of partitions must be positive", partitions);
        Machine.require(segmentBytes >= 1 << 20, "a segment must have 1 MiB at least", segmentBytes);
        lags = List.copyOf(lags);
        double share = lags.stream().mapToDouble(Lag::share).sum();
        Machine.require(share <= 1.000_001, "the lags' shares must not exceed 100 % together", share);
    }

    double bytesPerSecondOfPartition() {
        return bytesPerSecond / partitions;
    }

    Load times(double factor) {
        return new Load(bytesPerSecond * factor, fanOut, lags, partitions, segmentBytes);
    }
}

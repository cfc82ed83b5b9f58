/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.sizing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.tiered.api.DynamicTierSettings;
import io.evenkeel.tiered.kafka.TieredSsdConfig;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Days whose figures can be computed by hand. */
class ReplayTest {
    private static final long MIB = 1 << 20;
    private static final long GIB = 1 << 30;
    private static final double INFLOW = 10.0 * MIB;

    private static final DynamicTierSettings DEFAULTS = Objects.requireNonNull(
                    TieredSsdConfig.parse(Map.of("tiered.ssd.dirs", "/ssd", "tiered.ssd.capacity.bytes", "1000000000")))
            .dynamic();

    /** A day of the inflow is 844 GiB, so an hour is 35 GiB. */
    private static final Machine MACHINE = new Machine(0, 2, 100 * GIB, 500 * MIB, 4, 100 * MIB);

    private static Load load(Load.Lag... lags) {
        return new Load(INFLOW, 2, List.of(lags), 8, 64 * MIB);
    }

    private static Load.Lag lag(double share, double hours) {
        long seconds = (long) (hours * 3600);
        return new Load.Lag(share, seconds, seconds);
    }

    private static DayReport day(Policy policy, Load load) {
        return Replay.day(policy, load, MACHINE, DEFAULTS);
    }

    /** Usable bytes by inflow: 80 to 90 % of 200 GiB at 35.2 GiB an hour are 4.55 to 5.12 hours, 4.84 in the mean. */
    @Test
    void hoursOnSsdAreUsableBytesByInflow() {
        DayReport day = day(Policy.OURS, load());
        assertThat(day.hoursOnSsd()).isCloseTo(4.84, Percentage.withPercentage(3));
        assertThat(day.leastHoursOnSsd()).isCloseTo(4.55, Percentage.withPercentage(3));
        assertThat(day.breaksBecause()).isEmpty();
    }

    /** 864 GiB a day, decimal aside: 843.75 GiB into 200 GiB. Each segment of 64 MiB leaves as another comes. */
    @Test
    void eachByteIsWrittenOnceToTheSsdAndCopiedOnce() {
        DayReport day = day(Policy.OURS, load());
        assertThat(day.driveWritesPerDay()).isCloseTo(843.75 / 200, Percentage.withPercentage(1));
        assertThat(day.evictions()).isCloseTo(13_500, Percentage.withPercentage(3));
        // Copies write and read back 20 of 400 MiB/s.
        assertThat(day.hddBusy()).isCloseTo(0.05, Percentage.withPercentage(2));
        assertThat(day.copyHeadroom()).isCloseTo(20, Percentage.withPercentage(2));
    }

    @Test
    void laggardsReadFromTheSsdAsLongAsItHasTheirData() {
        Load load = new Load(INFLOW, 10, List.of(lag(0.2, 4), lag(0.1, 6)), 8, 64 * MIB);
        DayReport day = day(Policy.OURS, load);
        assertThat(day.fromMemory()).isCloseTo(0.7, within(0.001));
        assertThat(day.fromSsd()).isCloseTo(0.2, within(0.001));
        assertThat(day.fromHdd()).isCloseTo(0.1, within(0.001));
        assertThat(day.laggardsFromHdd()).isCloseTo(1 / 3.0, within(0.001));
        // Reads of 100 MiB/s, a tenth of them from the HDDs: 10 more than the 20 of the copies.
        assertThat(day.hddBusy()).isCloseTo(30 / 400.0, Percentage.withPercentage(2));
    }

    /** 10 GiB are 1,024 s of the inflow. */
    @Test
    void pageCacheServesWhatCameInLast() {
        Machine withMemory = new Machine(10 * GIB, 2, 100 * GIB, 500 * MIB, 4, 100 * MIB);
        Load load = load(new Load.Lag(0.5, 1000, 1000), new Load.Lag(0.5, 1040, 1040));
        DayReport day = Replay.day(Policy.OURS, load, withMemory, DEFAULTS);
        assertThat(day.fromMemory()).isCloseTo(0.5, within(0.001));
        assertThat(day.fromSsd()).isCloseTo(0.5, within(0.001));
    }

    /** The reads of a laggard come in as well, and push new data out: 10 MiB/s more. */
    @Test
    void blockCacheGivesItsSpaceToLaggards() {
        DayReport day = day(Policy.LRU_BLOCKS, load(lag(0.5, 10)));
        assertThat(day.fromHdd()).isCloseTo(0.5, within(0.02));
        assertThat(day.driveWritesPerDay()).isCloseTo(2 * 843.75 / 200, Percentage.withPercentage(3));
        // Filled twice as fast: 200 GiB by 20 MiB/s are 2.84 hours.
        assertThat(day.hoursOnSsd()).isCloseTo(2.84, Percentage.withPercentage(5));
    }

    /** Alone, an LRU cache of appends has all of the SSDs' bytes: 200 GiB at 35.2 GiB an hour. */
    @Test
    void cachesHoldTheNewestBytesWhenNobodyLags() {
        for (Policy policy : List.of(Policy.LRU_BLOCKS, Policy.LRU_SEGMENTS)) {
            assertThat(day(policy, load()).hoursOnSsd()).isCloseTo(5.69, Percentage.withPercentage(3));
        }
        assertThat(day(Policy.THRESHOLD, load()).hoursOnSsd()).isCloseTo(0.9 * 5.69, Percentage.withPercentage(3));
    }

    /** Copies write and read back: HDDs of 2.5 MiB/s each can copy half of the inflow. */
    @Test
    void breaksWhenCopiesCannotFollow() {
        Machine slow = new Machine(0, 2, 10 * GIB, 500 * MIB, 4, 5 * MIB / 2);
        DayReport day = Replay.day(Policy.OURS, load(), slow, DEFAULTS);
        assertThat(day.refusedSegments()).isPositive();
        assertThat(day.breaksBecause()).contains("found no room");
        assertThat(Replay.breakingPoint(load(), slow, DEFAULTS)).isZero();
    }

    /** 4 HDDs of 20 MiB/s can copy 40 MiB/s, which is four times the inflow. */
    @Test
    void breakingPointIsWhatTheHddsCanCopy() {
        Machine machine = new Machine(0, 2, 10 * GIB, 500 * MIB, 4, 20 * MIB);
        assertThat(Replay.breakingPoint(load(), machine, DEFAULTS)).isCloseTo(4, Percentage.withPercentage(6));
    }

    @Test
    void impossibleInputIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Machine(0, 0, GIB, MIB, 1, MIB))
                .withMessage("the number of SSDs must be positive, but it is 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> load(lag(0.6, 1), lag(0.5, 2)))
                .withMessageContaining("must not exceed 100 % together");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Load.Lag(0.5, 20, 10))
                .withMessageContaining("must not be before its beginning");
    }
}

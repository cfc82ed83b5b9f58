/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.sizing;

import io.evenkeel.tiered.api.DynamicTierSettings;

/**
 * A day of a broker in virtual time, under a policy. Stateless.
 *
 * <p>The inflow is steady: give that of the busiest hour. Partitions roll at different times. Readers that lag read
 * some partitions in full, and each hour others. The day begins when the SSDs have been filled twice.
 */
public final class Replay {
    static final long DAY_SECONDS = 86_400;
    static final long READ_SECONDS = 60;

    private static final int APPEND_SECONDS = 10;
    /** A partition that grows in steps is so far ahead of, or behind, one that grows evenly. */
    private static final int MOST_SECONDS_OFF = APPEND_SECONDS / 2;

    private static final int LOOK_SECONDS = 600;
    /** At most so many partitions are looked at. */
    private static final int LOOKED_AT = 50;

    private static final long STEP_BYTES = 1 << 20;

    private static final double MOST = 64;
    private static final int HALVINGS = 4;

    /** Irrational, so that multiples of their sum fall evenly between 0 and 1. */
    private static final double BY_PARTITION = 0.6180339887;

    private static final double BY_HOUR = 0.7548776662;

    private final Load load;
    private final Machine machine;
    private final Traffic traffic = new Traffic();
    private final Store store;

    private Replay(Policy policy, Load load, Machine machine, DynamicTierSettings settings) {
        this.load = load;
        this.machine = machine;
        this.store = policy == Policy.OURS
                ? new TierStore(load, machine, settings, traffic)
                : new CacheStore(policy, load, machine, traffic);
    }

    /** Replays a day. */
    public static DayReport day(Policy policy, Load load, Machine machine, DynamicTierSettings settings) {
        return new Replay(policy, load, machine, settings).run(policy);
    }

    /** How many times the inflow the tier can take; 0 when not even this one, 64 when that or more. */
    public static double breakingPoint(Load load, Machine machine, DynamicTierSettings settings) {
        double good = 0;
        double bad = 1;
        while (bad < MOST && holds(load.times(bad), machine, settings)) {
            good = bad;
            bad *= 2;
        }
        if (good == 0 || bad >= MOST) {
            return good == 0 ? 0 : MOST;
        }
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (good + bad) / 2;
            if (holds(load.times(middle), machine, settings)) {
                good = middle;
            } else {
                bad = middle;
            }
        }
        return good;
    }

    private static boolean holds(Load load, Machine machine, DynamicTierSettings settings) {
        return day(Policy.OURS, load, machine, settings).breaksBecause().isEmpty();
    }

    private DayReport run(Policy policy) {
        double fillSeconds = (double) machine.ssds() * machine.ssdBytes() / load.bytesPerSecond();
        long longestLag =
                load.lags().stream().mapToLong(Load.Lag::toSeconds).max().orElse(0);
        long begin = 3600 + longestLag + (long) Math.min(2 * fillSeconds, 30 * DAY_SECONDS);
        for (long now = APPEND_SECONDS; now < begin + DAY_SECONDS; now++) {
            if (now == begin) {
                traffic.reset();
            }
            appendAll(now);
            if (now % READ_SECONDS == 0) {
                readAll(now);
            }
            store.work(now);
            if (now >= begin && now % LOOK_SECONDS == 0) {
                look(now);
            }
        }
        return DayReport.of(policy, machine, traffic, DAY_SECONDS);
    }

    private void appendAll(long now) {
        for (int i = (int) (now % APPEND_SECONDS); i < load.partitions(); i += APPEND_SECONDS) {
            store.append(i, endAt(i, now - MOST_SECONDS_OFF), endAt(i, now + MOST_SECONDS_OFF), now);
        }
    }

    private void readAll(long now) {
        double atTheEnd = 1;
        for (Load.Lag lag : load.lags()) {
            atTheEnd -= lag.share();
            long[] points = lag.points();
            for (int i = 0; i < points.length; i++) {
                read(now, points[i], load.fanOut() * lag.share() / points.length, (double) i / points.length);
            }
        }
        read(now, 0, load.fanOut() * Math.max(0, atTheEnd), 0);
    }

    /** @param readers of each partition; of a part of a reader, it reads that part of the partitions */
    private void read(long now, long lagSeconds, double readers, double offset) {
        if (lagSeconds * load.bytesPerSecond() < machine.pageCacheBytes() || lagSeconds == 0) {
            traffic.fromMemory += load.bytesPerSecond() * READ_SECONDS * readers;
            return;
        }
        long hour = now / 3600;
        // in the middle of what is read at once, readers have exactly this lag
        long to = Math.min(now - MOST_SECONDS_OFF, now - lagSeconds + READ_SECONDS / 2);
        for (int i = 0; i < load.partitions() && to >= READ_SECONDS; i++) {
            double lot = (i * BY_PARTITION + hour * BY_HOUR + offset) % 1;
            for (double left = readers; left > lot; left--) {
                store.read(i, endAt(i, to - READ_SECONDS), endAt(i, to));
            }
        }
    }

    /** Where a partition ends then; the first segment of each is begun at another place. */
    private long endAt(int partition, long seconds) {
        long begin = load.segmentBytes() / load.partitions() * partition;
        return begin + (long) (load.bytesPerSecondOfPartition() * seconds);
    }

    private void look(long now) {
        int step = Math.max(1, load.partitions() / LOOKED_AT);
        for (int i = 0; i < load.partitions(); i += step) {
            long end = endAt(i, now - MOST_SECONDS_OFF) - 1; // so far at least all have been appended to
            long position = end;
            while (position >= endAt(i, 0) && store.isOnSsd(i, position)) {
                position = position / STEP_BYTES * STEP_BYTES - 1;
            }
            traffic.look((endAt(i, now) - Math.max(position, endAt(i, 0))) / load.bytesPerSecondOfPartition());
        }
    }
}

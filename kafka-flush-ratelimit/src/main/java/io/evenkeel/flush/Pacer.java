/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides which logs of one device to flush now, and when to look again. Confined to the device's worker; told the
 * time.
 *
 * @param <L> a log
 */
public final class Pacer<L> {
    /*
     * Idea. Every unflushed log has an instant at which it is due. Of all ways to flush each log by then, the smoothest flushes at one
     * constant rate, as low as possible: the largest, over all due times, of the bytes that are due by then divided by the time
     * left [1]. The pacer earns bytes at this rate, and flushes the log that is due first as soon as it has earned all of that
     * log's bytes; what is earned already is no longer to be earned. So a log goes out whole, in one flush, and each flush costs
     * its bytes. The rate is worked out anew at each look, because bytes come in; it is raised only as far as what is there needs,
     * and evenness asks for.
     *
     * A log is due when it has used up half of a bound, in bytes or in age; the other half is for the device, which needs its
     * time for the flush, and for what is appended meanwhile. In bytes, that instant is foretold from how fast it fills. Some
     * of the time is taken off each log at random, always the same for one log, so that logs that became unflushed together are not
     * due together.
     *
     * Example: logs of 30, 10 and 20 MB are due in 10, 10 and 20 s. 40 MB in 10 s need 4 MB/s, 60 MB in 20 s need 3. So the rate
     * is 4 MB/s: the first log goes out after 7.5 s and the second after 10. Then 20 MB are left for 10 s, at 2 MB/s.
     *
     * That rate is the lowest, but not yet the smoothest for a load that comes in waves: it falls in a calm because nothing is
     * pressing, and what was saved up is pressing when the next wave is in. So the pacer does not go below the pace that
     * a steady load as large as the mean of this one would have: the mean itself, corrected slowly towards a backlog that is
     * worth a third of the time there is. A wave then fills the backlog, and the calm drains it, down to what is worth flushing.
     *
     * And the kernel writes by itself, in bursts, unless the file system is synced when little is unflushed: see SyncfsPlan.
     *
     * Two limits bend this. After a flush a log rests for as long as its bytes would have taken at the rate of a segment, unless
     * it is due: flushed earlier than that, it would be flushed often and for little. When it is due it is flushed all the same, and
     * that is an escape. And nothing is earned faster than the ceiling of the device, if there is one, be a log due or not.
     *
     * What was earned while the device did not keep up is not spent when it is back: more than one flush needs, or the time between
     * two looks brings in, is forgotten. Else an overload would be followed by a burst as long as itself, ceiling or not.
     *
     * [1] Yao, Demers, Shenker: A scheduling model for reduced CPU energy, FOCS 1995; this is their "optimal available".
     */
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final long LONGEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SHORTEST_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** How long a log must have been unflushed before its speed is taken for more than a moment's. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int HALF = 2;
    private static final int JITTER_PART = 4;
    /** Of half the bound in age, the part that the backlog is worth at a steady pace. */
    private static final int WANTED_PART = 3;
    /** The part of it that the backlog is worth at least, unless something is pressing: less is not worth a flush. */
    private static final int LEAST_PART = 4;
    /** How many times half the bound in age it takes to correct the backlog: longer than a wave. */
    private static final int CORRECTION = 2;
    /** How many times it the load is averaged over. */
    private static final int MEMORY = 4;

    /**
     * A unflushed log.
     *
     * @param jitter from 0 to 1, always the same for one log
     */
    public record Candidate<L>(L log, UnflushedLog.Pending pending, double jitter) {}

    /**
     * What to do.
     *
     * @param logs to be flushed now, in this order
     * @param waitNanos from the instant of the decision until the next
     * @param escapes how many of the logs should have rested
     * @param bytesPerSecond that are earned now
     * @param syncs whether the device's file system is to be synced now, beside the flushes
     */
    public record Turn<L>(List<L> logs, long waitNanos, int escapes, double bytesPerSecond, boolean syncs) {}

    private record Due<L>(Candidate<L> candidate, long leftNanos, long restNanos) {
        long bytes() {
            return candidate.pending().bytes();
        }

        boolean isDue() {
            return leftNanos <= 0;
        }

        boolean rests() {
            return restNanos > 0;
        }

        /** It will be an escape: nothing is to be earned for it, for others would spend that, on little and often. */
        boolean isHot() {
            return rests() && restNanos >= leftNanos;
        }
    }

    private final long maxBytes;
    private final long halfAgeNanos;
    private final long longestLookNanos;
    private final long shortestLookNanos;
    private final InflowRate inflow;
    private @Nullable SyncfsPlan syncfsPlan = new SyncfsPlan();
    private double earnedBytes;
    private double bytesPerNano;
    private long lastNanos;

    /** Of the settings only the bounds are looked at. */
    public Pacer(FlushSettings settings) {
        this.maxBytes = settings.maxUnflushedBytes();
        this.halfAgeNanos = TimeUnit.MILLISECONDS.toNanos(settings.maxUnflushedMs()) / HALF;
        this.longestLookNanos = Math.min(LONGEST_LOOK_NANOS, halfAgeNanos / JITTER_PART);
        this.shortestLookNanos = Math.min(SHORTEST_LOOK_NANOS, longestLookNanos);
        this.inflow = new InflowRate(MEMORY * halfAgeNanos);
    }

    /**
     * What to flush now.
     *
     * @param unflushed all the unflushed logs of the device; when there is none, nothing is to be done before there is one
     */
    public Turn<L> next(List<Candidate<L>> unflushed, FlushRates rates, long nowNanos) {
        if (bytesPerNano > 0) {
            earnedBytes += bytesPerNano * Math.max(0, nowNanos - lastNanos);
        }
        lastNanos = nowNanos;
        if (unflushed.isEmpty()) {
            inflow.look(0, nowNanos);
            earnedBytes = 0;
            bytesPerNano = 0;
            return new Turn<>(List.of(), Long.MAX_VALUE, 0, 0, false);
        }
        List<Due<L>> order = new ArrayList<>(unflushed.size());
        for (Candidate<L> candidate : unflushed) {
            order.add(new Due<>(
                    candidate, leftNanos(candidate, nowNanos), restNanos(candidate.pending(), rates, nowNanos)));
        }
        order.sort(Comparator.comparingLong(Due::leftNanos));
        long backlogBytes =
                order.stream().filter(due -> !due.isHot()).mapToLong(Due::bytes).sum();
        inflow.look(backlogBytes, nowNanos);
        earnedBytes = Math.min(earnedBytes, mostEarned(order));
        double ceiling = rates.ceiling() / NANOS_PER_SECOND;
        boolean syncs = syncfsPlan != null && syncfsPlan.look(backlogBytes, order.size(), inflow.bytesPerNano(), nowNanos);
        double steadyRate = steadyRate(backlogBytes);
        double pace = syncfsPlan == null ? steadyRate : syncfsPlan.pace(steadyRate);
        bytesPerNano = Math.min(ceiling, Math.max(lowestRate(order, ceiling), pace));
        return take(order, rates.deviceBytesPerSecond() != FlushRates.UNLIMITED, syncs);
    }

    /** The file system cannot be synced, or need not be: nothing makes way for that. */
    public void doNotSync() {
        syncfsPlan = null;
    }

    /** The pace of a steady load with the same mean; see above. */
    private double steadyRate(long backlogBytes) {
        double mean = inflow.bytesPerNano();
        double surplusBytes = backlogBytes - mean * halfAgeNanos / WANTED_PART;
        double corrected = mean + surplusBytes / (CORRECTION * (double) halfAgeNanos);
        return Math.min(corrected, LEAST_PART * (double) backlogBytes / halfAgeNanos);
    }

    private double mostEarned(List<Due<L>> order) {
        long largest = order.stream().mapToLong(Due::bytes).max().orElse(0);
        return Math.max((double) largest, bytesPerNano * longestLookNanos);
    }

    private Turn<L> take(List<Due<L>> order, boolean hasCeiling, boolean syncs) {
        List<L> logs = new ArrayList<>();
        int escapes = 0;
        long waitNanos = longestLookNanos;
        boolean saves = false;
        for (Due<L> next : order) {
            if (next.rests() && !next.isDue()) {
                waitNanos = Math.min(waitNanos, Math.min(next.restNanos(), next.leftNanos()));
            } else if (next.bytes() <= earnedBytes || (next.isDue() && !hasCeiling)) {
                logs.add(next.candidate().log());
                inflow.leaves(next.isHot() ? 0 : next.bytes());
                earnedBytes = Math.max(0, earnedBytes - next.bytes());
                escapes += next.rests() ? 1 : 0;
            } else {
                waitNanos = Math.min(waitNanos, (long) Math.ceil((next.bytes() - earnedBytes) / bytesPerNano));
                saves = true;
                break;
            }
        }
        if (!saves) {
            earnedBytes = 0; // Nobody waits for it, and a rate that is saved up is a burst to come.
        }
        return new Turn<>(
                logs, Math.max(shortestLookNanos, waitNanos), escapes, bytesPerNano * NANOS_PER_SECOND, syncs);
    }

    /** The lowest rate at which all can be flushed by the time they are due; what is due already is not waited for. */
    private double lowestRate(List<Due<L>> order, double ceiling) {
        double lowest = 0;
        double bytes = -earnedBytes;
        for (Due<L> next : order) {
            if (!next.isDue()) {
                bytes += next.isHot() && ceiling == Double.POSITIVE_INFINITY ? 0 : next.bytes();
                lowest = Math.max(lowest, bytes / next.leftNanos());
            } else if (ceiling != Double.POSITIVE_INFINITY) {
                return ceiling;
            } else {
                bytes = Math.min(0, bytes + next.bytes());
            }
        }
        return Math.min(lowest, ceiling);
    }

    /** How long until the log has used up half of a bound, less its share of jitter. */
    private long leftNanos(Candidate<L> candidate, long nowNanos) {
        UnflushedLog.Pending pending = candidate.pending();
        long ageNanos = Math.max(0, nowNanos - pending.sinceNanos());
        long spareNanos = (long) (candidate.jitter() * halfAgeNanos / JITTER_PART);
        long leftByAge = halfAgeNanos - spareNanos - ageNanos;
        if (pending.wanted() || pending.bytes() >= maxBytes / HALF) {
            return Math.min(leftByAge, 0);
        }
        double fillNanos = (double) Math.max(ageNanos, Math.min(SETTLED_NANOS, halfAgeNanos));
        double leftByBytes = fillNanos * (maxBytes / HALF - pending.bytes()) / pending.bytes();
        return Math.min(leftByAge, (long) leftByBytes);
    }

    private static long restNanos(UnflushedLog.Pending pending, FlushRates rates, long nowNanos) {
        double costNanos = NANOS_PER_SECOND * pending.lastFlushedBytes() / rates.segmentBytesPerSecond();
        return Math.max(0, (long) costNanos - Math.max(0, nowNanos - pending.lastFlushedNanos()));
    }
}

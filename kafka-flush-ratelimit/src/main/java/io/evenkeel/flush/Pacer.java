/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Decides which logs of one device to flush now, and when to decide again. Confined to the device's worker; time is an
 * argument.
 *
 * @param <L> a log
 */
public final class Pacer<L> {
    /*
     * Idea. Every log with unflushed bytes has an instant at which it is due. Of all schedules that flush each log by
     * then, the smoothest flushes at one constant rate, as low as possible: the largest, over all due times, of the
     * bytes that are due by then divided by the time left [1]. The pacer earns bytes at this rate, and flushes the log
     * that is due first as soon as it has earned all bytes of that log; earned bytes need not be earned again. So a log
     * is flushed whole, in one flush, and each flush costs its bytes. The pacer computes the rate anew at each turn,
     * because bytes come in; it raises the rate only as far as the backlog and evenness require.
     *
     * A log is due when it has used up half of a bound, in bytes or in age. The other half is for the device, which
     * needs its time for the flush, and for appends meanwhile. In bytes, the instant is predicted from the rate at
     * which the log fills. Each log is due a little earlier by a random part of the time, always the same part for one
     * log, so that logs that took their first byte together are not due together.
     *
     * Example: logs of 30, 10 and 20 MB are due in 10, 10 and 20 s. 40 MB in 10 s need 4 MB/s, 60 MB in 20 s need 3. So
     * the rate is 4 MB/s: the first log is flushed after 7.5 s and the second after 10. Then 20 MB are left for 10 s,
     * at 2 MB/s.
     *
     * That rate is the lowest, but not yet the smoothest for a load that comes in waves: it falls in a calm because
     * nothing is urgent, and the saved bytes are urgent when the next wave is in. So the pacer does not go below the
     * pace of a steady load with the same mean: the mean itself, corrected slowly towards a backlog of a third of the
     * bytes that come in within half the bound in age. A wave then fills the backlog, and the calm drains it until a
     * flush is no longer worthwhile.
     *
     * The kernel writes by itself, in bursts, unless a syncfs comes while few bytes are unflushed: see SyncfsPlan.
     *
     * Two limits change this. After a flush a log rests for as long as its bytes would have taken at the rate of a
     * segment, unless it is due: an earlier flush would mean frequent flushes of few bytes. When it is due it is
     * flushed all the same; that is an escape. And the pacer never earns faster than the ceiling of the device, if
     * there is one, whether a log is due or not.
     *
     * A flush has a price beyond its bytes: up to three fsyncs, each with seeks. With thousands of quiet logs, to flush
     * each one in time would keep a disk busy with that alone. So the pacer keeps to a budget of the device's time
     * (FlushBudget). When the budget is used up, it flushes only logs that an append waits for, or that are large: the
     * others get older and larger, and are then flushed at the same price.
     *
     * A turn lasts for as long as some flushes take, not longer: by then other logs may be wanted.
     *
     * Bytes that were earned while the device did not keep up are not spent when it is back: all that exceeds one
     * flush, or the bytes earned between two turns, is forgotten. Otherwise an overload would be followed by a burst of
     * the same length, even with a ceiling.
     *
     * [1] Yao, Demers, Shenker: A scheduling model for reduced CPU energy, FOCS 1995; this is their "optimal
     * available".
     */
    private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

    private static final long LONGEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SHORTEST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    /** A log must have had unflushed bytes for this long before its fill rate counts as lasting. */
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final int HALF = 2;
    private static final int JITTER_PART = 4;
    /** At a steady pace the backlog is this part of the bytes that come in within half the bound in age. */
    private static final int WANTED_PART = 3;
    /** With less than this part, a flush is not worthwhile unless a log is urgent. */
    private static final int LEAST_PART = 4;
    /** The time to correct the backlog, in multiples of half the bound in age: longer than a wave. */
    private static final int CORRECTION = 2;
    /** The load is averaged over this multiple of half the bound in age. */
    private static final int MEMORY = 4;
    /** A turn of several flushes lasts no longer. */
    private static final double LONGEST_TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    /**
     * A log with unflushed bytes.
     *
     * @param jitter from 0 to 1, always the same for one log
     */
    public record Candidate<L>(L log, UnflushedLog.Pending pending, double jitter) {}

    /**
     * One decision.
     *
     * @param logs to flush now, in this order
     * @param waitNanos from this decision until the next
     * @param escapes how many of the logs should still rest
     * @param bytesPerSecond the rate at which bytes are earned now
     * @param syncs whether to call syncfs for the device now, beside the flushes
     * @param limit what keeps the pacer from flushing more
     */
    public record Turn<L>(
            List<L> logs, long waitNanos, int escapes, double bytesPerSecond, boolean syncs, Limit limit) {}

    /** Why a log may exceed its bounds. */
    public enum Limit {
        /** Nothing but the speed of the disk. */
        DISK,
        /** The ceiling of the device. */
        CEILING,
        /** The budget of time for flushes. */
        BUDGET
    }

    /** @param isUrgent whether it is flushed even if that is beyond the budget */
    private record Due<L>(Candidate<L> candidate, long leftNanos, long restNanos, boolean isUrgent) {
        long bytes() {
            return candidate.pending().bytes();
        }

        boolean isWanted() {
            return candidate.pending().wanted();
        }

        boolean isDue() {
            return leftNanos <= 0;
        }

        boolean rests() {
            return restNanos > 0;
        }

        /** It will be an escape: bytes earned for it would be spent by others, on frequent small flushes. */
        boolean isHot() {
            return rests() && restNanos >= leftNanos;
        }
    }

    private final FlushBudget budget = new FlushBudget();
    private InflowRate inflow = new InflowRate(0);
    private SyncfsPlan syncfsPlan = new SyncfsPlan();
    private long halfAgeNanos = -1;
    private long longestWaitNanos;
    private double earnedBytes;
    private double bytesPerNano;
    private long lastNanos;

    /**
     * Decides what to flush now.
     *
     * @param unflushed all logs of the device with unflushed bytes; when there is none, the wait is endless
     * @param maySync whether a syncfs is possible and wanted
     */
    public Turn<L> next(List<Candidate<L>> unflushed, FlushSettings settings, boolean maySync, long nowNanos) {
        follow(settings);
        if (bytesPerNano > 0) {
            earnedBytes += bytesPerNano * Math.max(0, nowNanos - lastNanos);
        }
        lastNanos = nowNanos;
        budget.earn(nowNanos);
        if (unflushed.isEmpty()) {
            inflow.observe(0, nowNanos);
            earnedBytes = 0;
            bytesPerNano = 0;
            return new Turn<>(List.of(), Long.MAX_VALUE, 0, 0, false, Limit.DISK);
        }
        List<Due<L>> order = order(unflushed, settings, nowNanos);
        long backlogBytes =
                order.stream().filter(due -> !due.isHot()).mapToLong(Due::bytes).sum();
        inflow.observe(backlogBytes, nowNanos);
        earnedBytes = Math.min(earnedBytes, mostEarned(order));
        if (!maySync) {
            syncfsPlan = new SyncfsPlan();
        }
        boolean syncs = maySync && syncfsPlan.shouldSync(backlogBytes, order.size(), inflow.bytesPerNano(), nowNanos);
        double steadyRate = steadyRate(backlogBytes);
        double pace = maySync ? syncfsPlan.pace(steadyRate) : steadyRate;
        double ceiling = settings.ceiling() / NANOS_PER_SECOND;
        bytesPerNano = Math.min(ceiling, Math.max(lowestRate(order, ceiling), pace));
        return take(order, settings, syncs);
    }

    /** A flush of this turn is over. */
    public void flushed(long bytes, long tookNanos) {
        budget.spent(bytes, tookNanos);
    }

    /** The operator may have changed the bound in age. */
    private void follow(FlushSettings settings) {
        long halfNanos = settings.maxUnflushedNanos() / HALF;
        if (halfNanos != halfAgeNanos) {
            halfAgeNanos = halfNanos;
            longestWaitNanos = Math.min(LONGEST_WAIT_NANOS, halfNanos / JITTER_PART);
            inflow = new InflowRate(MEMORY * halfNanos);
        }
    }

    /** First the logs that an append waits for, then by when they are due. */
    private List<Due<L>> order(List<Candidate<L>> unflushed, FlushSettings settings, long nowNanos) {
        List<Due<L>> order = new ArrayList<>(unflushed.size());
        for (Candidate<L> candidate : unflushed) {
            UnflushedLog.Pending pending = candidate.pending();
            boolean isLarge =
                    FlushBudget.isLarge(pending.bytes()) || pending.bytes() >= settings.maxUnflushedBytes() / HALF;
            order.add(new Due<>(
                    candidate,
                    leftNanos(candidate, settings, nowNanos),
                    restNanos(pending, settings, nowNanos),
                    isLarge || pending.wanted()));
        }
        order.sort(Comparator.<Due<L>, Boolean>comparing(due -> !due.isWanted()).thenComparingLong(Due::leftNanos));
        return order;
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
        return Math.max((double) largest, bytesPerNano * longestWaitNanos);
    }

    private Turn<L> take(List<Due<L>> order, FlushSettings settings, boolean syncs) {
        List<L> logs = new ArrayList<>();
        int escapes = 0;
        long waitNanos = longestWaitNanos;
        Limit limit = settings.hasCeiling() ? Limit.CEILING : Limit.DISK;
        boolean saves = false;
        for (Due<L> next : order) {
            if (next.rests() && !next.isDue()) {
                waitNanos = Math.min(waitNanos, Math.min(next.restNanos(), next.leftNanos()));
            } else if (!budget.isOpen() && !next.isUrgent()) {
                waitNanos = Math.min(waitNanos, budget.waitNanos());
                limit = Limit.BUDGET;
                saves = true;
            } else if (next.bytes() > earnedBytes && (!next.isDue() || settings.hasCeiling())) {
                waitNanos = Math.min(waitNanos, (long) Math.ceil((next.bytes() - earnedBytes) / bytesPerNano));
                saves = true;
                break;
            } else if (logs.size() * budget.meanNanos() >= LONGEST_TURN_NANOS) {
                waitNanos = 0;
                saves = true;
                break;
            } else {
                logs.add(next.candidate().log());
                inflow.leaves(next.isHot() ? 0 : next.bytes());
                earnedBytes = Math.max(0, earnedBytes - next.bytes());
                escapes += next.rests() ? 1 : 0;
            }
        }
        if (!saves) {
            earnedBytes = 0; // No log needs it, and saved bytes would become a burst.
        }
        long shortestNanos = Math.min(SHORTEST_WAIT_NANOS, longestWaitNanos);
        return new Turn<>(
                logs, Math.max(shortestNanos, waitNanos), escapes, bytesPerNano * NANOS_PER_SECOND, syncs, limit);
    }

    /** The lowest rate at which each log is flushed in time; a log that is due already is not counted. */
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

    /** The time until the log has used up half of a bound, less its jitter. */
    private long leftNanos(Candidate<L> candidate, FlushSettings settings, long nowNanos) {
        UnflushedLog.Pending pending = candidate.pending();
        long ageNanos = Math.max(0, nowNanos - pending.sinceNanos());
        long spareNanos = (long) (candidate.jitter() * halfAgeNanos / JITTER_PART);
        long leftByAge = halfAgeNanos - spareNanos - ageNanos;
        long halfBytes = settings.maxUnflushedBytes() / HALF;
        if (pending.wanted() || pending.bytes() >= halfBytes) {
            return Math.min(leftByAge, 0);
        }
        double fillNanos = (double) Math.max(ageNanos, Math.min(SETTLED_NANOS, halfAgeNanos));
        double leftByBytes = fillNanos * (halfBytes - pending.bytes()) / pending.bytes();
        return Math.min(leftByAge, (long) leftByBytes);
    }

    private static long restNanos(UnflushedLog.Pending pending, FlushSettings settings, long nowNanos) {
        double costNanos = NANOS_PER_SECOND * pending.lastFlushBytes() / settings.segmentBytesPerSecond();
        return Math.max(0, (long) costNanos - Math.max(0, nowNanos - pending.lastFlushNanos()));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import io.evenkeel.tiered.api.ReadWaits;
import java.util.concurrent.TimeUnit;

/**
 * The rate of the copies to one HDD, between a floor and a ceiling. Arithmetic only; not thread safe: one copier uses
 * it.
 */
final class CopyPace {
    /*
     * The pace is a share of the span between floor and ceiling, from 0 to 1, so that changed settings apply at once.
     *
     * Readers: several times a second we take the mean time that reads waited for this HDD. When it is too long, the
     * share is halved. Otherwise the share grows steadily. TCP shares a link in the same way [1]: the copies give way
     * within a second, speed up again step by step, and settle where readers are just served well enough. When no
     * client reads, no read waits, and the share grows to 1.
     *
     * The SSD: its pressure, from 0 to 1, is the lower bound of the share. Copies that always gave way would let the
     * SSD fill up; new segments would then go to the HDD, where they slow readers down more than any copy does. Under
     * constant reads the pressure settles where the copies just keep up with the appends.
     *
     * RocksDB's auto-tuned limiter [2] and Lucene's merge throttle [3] follow the backlog alone, which is our pressure.
     * They do not measure how long readers wait.
     *
     * [1] Chiu, Jain: Analysis of the Increase and Decrease Algorithms for Congestion Avoidance, 1989
     * [2] rocksdb.org/blog/2017/12/18/17-auto-tuned-rate-limiter.html
     * [3] Lucene's ConcurrentMergeScheduler
     */

    /**
     * The mean time that a read may wait for the disk. A 7200 rpm disk takes 8 to 15 ms for one read; above 20 ms reads
     * queue up.
     */
    static final long TARGET_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How often to decide: often enough to give way at once, seldom enough to have seen several reads in between. */
    static final long INTERVAL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    /** How long the way from the floor to the ceiling takes. */
    static final long RISE_NANOS = TimeUnit.SECONDS.toNanos(4);

    private double share = 1;
    private ReadWaits seen = ReadWaits.NONE;
    private boolean started;
    private long decidedNanos;
    /**
     * Until then, an interval without reads proves nothing: a read that takes as long as the last ones may be running.
     */
    private long noNewsUntilNanos;

    /**
     * The pace from now on; never below the floor, never above the ceiling.
     *
     * @param waits of the reads from this HDD, since the start
     * @param pressure of the SSDs, from 0 to 1
     */
    long bytesPerSecond(long floor, long ceiling, ReadWaits waits, double pressure, long nowNanos) {
        if (!started) {
            started = true;
            decidedNanos = nowNanos;
            noNewsUntilNanos = nowNanos;
            seen = waits;
        }
        if (nowNanos - decidedNanos >= INTERVAL_NANOS) {
            decide(waits.since(seen), nowNanos);
            decidedNanos = nowNanos;
            seen = waits;
        }
        double part = Math.max(share, pressure);
        return part >= 1 ? ceiling : floor + (long) ((ceiling - floor) * part);
    }

    private void decide(ReadWaits felt, long nowNanos) {
        long meanNanos = felt.meanNanos();
        if (meanNanos > TARGET_WAIT_NANOS) {
            share /= 2;
            noNewsUntilNanos = nowNanos + meanNanos;
        } else if (felt.operations() > 0 || nowNanos - noNewsUntilNanos >= 0) {
            share = Math.min(1, share + (double) (nowNanos - decidedNanos) / RISE_NANOS);
        }
    }
}

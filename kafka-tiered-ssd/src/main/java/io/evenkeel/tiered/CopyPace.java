/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.ReadWaits;
import java.util.concurrent.TimeUnit;

/**
 * How fast the copies to one HDD may go, between a floor and a ceiling. Arithmetic only; not thread safe: one copier
 * asks.
 */
final class CopyPace {
    /*
     * The pace is a share of the span between floor and ceiling, from 0 to 1, so that changed settings hold at once.
     *
     * Readers: several times a second their mean wait for this HDD is looked at. Too long: the share is halved. Otherwise
     * it grows steadily. It is the shape that TCP shares a link with [1]: it gives way within a second, feels its way back,
     * and settles where readers are just served well enough. When nobody reads, nobody waits, and the share grows to 1.
     *
     * The SSD: its pressure, from 0 to 1, is the least that the share can be. Copies that give way for ever would fill the
     * SSD, and then new segments go to the HDD, where they hurt everybody more than any copy. Under constant reads the
     * pressure settles where the copies just keep up with what comes in.
     *
     * RocksDB's auto-tuned limiter [2] and Lucene's merge throttle [3] follow the backlog alone, which is our pressure; they
     * do not know what readers feel.
     *
     * [1] Chiu, Jain: Analysis of the Increase and Decrease Algorithms for Congestion Avoidance, 1989
     * [2] rocksdb.org/blog/2017/12/18/17-auto-tuned-rate-limiter.html
     * [3] Lucene's ConcurrentMergeScheduler
     */

    /**
     * How long a read that needs the disk may wait in the mean. A 7200 rpm disk takes 8 to 15 ms to find and read what
     * one reader asks for; with more than 20 ms readers stand in a queue.
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
    /** Until then, that no read has ended says nothing: one may be under way that takes as long as the last ones. */
    private long noNewsUntilNanos;

    /**
     * The pace from now on; never below the floor, never above the ceiling.
     *
     * @param waits of the readers of this HDD, since the start
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

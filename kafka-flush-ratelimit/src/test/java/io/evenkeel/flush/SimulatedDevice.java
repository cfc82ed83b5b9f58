/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A device in simulated time: it flushes one log after the other as the pacer says, each in the time that its bytes
 * take, and no sooner. The kernel also writes files that have been dirty for long, as Linux does. Not thread safe.
 */
final class SimulatedDevice {
    static final long SECOND = 1_000_000_000L;
    static final long MS = 1_000_000L;
    static final long STEP = 10 * MS;

    private static final long EXPIRE = 30 * SECOND;
    private static final long KERNEL_LOOKS = 5 * SECOND;
    private static final long NEVER = Long.MAX_VALUE;

    /** A log, the part of it that is on the disk, and the appends that wait for room. */
    static final class Log {
        final UnflushedLog unflushed;
        final double jitter;
        final double bytesPerSecond;
        long end;
        long owed;
        long waits;
        long oldestFlushedNanos;
        /** The bytes that are only in the page cache. */
        private long unwritten;
        /** When the kernel put the file on its list of dirty files. */
        private long listedNanos = NEVER;

        Log(Random random, double bytesPerSecond) {
            this.unflushed = new UnflushedLog();
            this.jitter = random.nextDouble();
            this.bytesPerSecond = bytesPerSecond;
        }
    }

    final FlushSettings settings;
    final Pacer<Log> pacer = new Pacer<>();
    boolean maySync = true;
    final List<Log> logs = new ArrayList<>();
    double bytesPerSecond;
    long frozenUntil;
    long flushedBytes;
    long largestFlush;
    /** Written by flushes, syncfs and the kernel. */
    long writtenBytes;

    int syncs;
    private final List<Log> queue = new ArrayList<>();
    private long busyUntil;
    private long lookAt;
    private long flushedOffset;

    SimulatedDevice(FlushSettings settings, double bytesPerSecond) {
        this.settings = settings;
        this.bytesPerSecond = bytesPerSecond;
    }

    void work(long now) {
        if (now % KERNEL_LOOKS == 0) {
            logs.stream()
                    .filter(log -> log.listedNanos != NEVER && now - log.listedNanos >= EXPIRE)
                    .forEach(this::unlist);
        }
        if (now < frozenUntil || now < busyUntil) {
            return;
        }
        if (!queue.isEmpty() && busyUntil > 0) {
            Log done = queue.remove(0);
            done.unflushed.flushed(flushedOffset);
            busyUntil = 0;
        }
        if (queue.isEmpty() && now >= lookAt) {
            look(now);
        }
        if (!queue.isEmpty()) {
            begin(queue.get(0), now);
        }
    }

    private void look(long now) {
        List<Pacer.Candidate<Log>> unflushed = new ArrayList<>();
        for (Log log : logs) {
            UnflushedLog.Pending pending = log.unflushed.pending();
            if (pending != null) {
                unflushed.add(new Pacer.Candidate<>(log, pending, log.jitter));
            }
        }
        Pacer.Turn<Log> turn = pacer.next(unflushed, settings, maySync, now);
        queue.addAll(turn.logs());
        lookAt = unflushed.isEmpty() ? now : now + turn.waitNanos();
        if (turn.syncs()) {
            syncs++;
            logs.forEach(this::unlist);
        }
    }

    private void begin(Log log, long now) {
        UnflushedLog.Pending pending = log.unflushed.pending();
        if (pending == null) {
            queue.remove(log);
            return;
        }
        log.oldestFlushedNanos = Math.max(log.oldestFlushedNanos, now - pending.sinceNanos());
        log.unflushed.flushBegins(now);
        flushedOffset = log.end;
        flushedBytes += pending.bytes();
        largestFlush = Math.max(largestFlush, pending.bytes());
        long took = (long) (pending.bytes() / bytesPerSecond * SECOND) + MS;
        busyUntil = now + took;
        pacer.flushed(pending.bytes(), took);
        write(log);
    }

    private void write(Log log) {
        writtenBytes += log.unwritten;
        log.unwritten = 0;
    }

    /** A flush does not do this: the kernel's time for the file begins anew with its next byte. */
    private void unlist(Log log) {
        write(log);
        log.listedNanos = NEVER;
    }

    /** A producer sends a batch; when there is no room it waits, and later ones behind it. */
    void append(Log log, long bytes, long now) {
        log.owed += bytes;
        while (log.owed > 0) {
            long batch = Math.min(log.owed, settings.maxUnflushedBytes() / 8);
            if (!log.unflushed.hasRoom(batch, settings)) {
                log.waits++;
                lookAt = now;
                return;
            }
            if (log.unflushed.appended(log.end, log.end + batch, batch, settings, now)
                    != UnflushedLog.Urgency.AS_PLANNED) {
                lookAt = now;
            }
            log.end += batch;
            log.unwritten += batch;
            log.listedNanos = Math.min(log.listedNanos, now);
            log.owed -= batch;
        }
    }

    /** Appends wait for room here for as long as it takes, so the bound in bytes always holds. */
    void checkBounds() {
        for (Log log : logs) {
            UnflushedLog.Pending pending = log.unflushed.pending();
            if (pending != null && pending.bytes() > settings.maxUnflushedBytes()) { // assertThat() takes too long here
                throw new AssertionError(
                        pending.bytes() + " bytes, and only " + settings.maxUnflushedBytes() + " may be");
            }
        }
    }
}

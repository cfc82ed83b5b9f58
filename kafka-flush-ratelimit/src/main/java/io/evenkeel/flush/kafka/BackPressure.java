/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.HandlerShare;
import io.evenkeel.flush.SequencedBatch;
import io.evenkeel.flush.UnflushedLog;
import io.evenkeel.flush.disk.FlushCounter;
import io.evenkeel.flush.disk.FlushCounts;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes appends wait that would exceed a bound of their log, without any lock. Thread safe. */
final class BackPressure {
    /*
     * A leader's append waits on its request handler. No more of those may be held by one log directory than its share,
     * so that one device that hangs does not stop all of them; who comes then, or has waited long enough, is refused
     * with an error that clients try again. A follower's append holds up a fetcher that has other partitions to care
     * for, so it waits shortly; then it is put off, and the fetcher asks the leader for the same records again.
     *
     * An append that was let in may be held up by the disk, and be over when what is unflushed is older than the bound;
     * and one of another log may hold up the answer to both, as a request is answered as a whole. So that waits once
     * more, for a flush (I8 in UnflushedLog). A follower's answer is that it fetches on, and it has waited already.
     */
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");

    /** Longer than a device hangs when it only hiccups, and shorter than clients wait for an answer (30 s). */
    static final long LEADER_WAIT_MS = 15_000;

    static final long FOLLOWER_WAIT_MS = 100;
    private static final String OTHERS_HELD_UP = "other appends to its log directory are held up";
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private interface Wait<T> {
        @Nullable
        T run() throws InterruptedException;
    }

    /** The logs that this thread's request has appended to. */
    private final ThreadLocal<List<KafkaPacedLog>> ofRequest = ThreadLocal.withInitial(ArrayList::new);

    private final long leaderWaitMs;
    private final long followerWaitMs;
    private final AtomicLong nextWarningNanos = new AtomicLong(System.nanoTime());

    BackPressure() {
        this(LEADER_WAIT_MS, FOLLOWER_WAIT_MS);
    }

    /** The longest waits. */
    BackPressure(long leaderWaitMs, long followerWaitMs) {
        this.leaderWaitMs = leaderWaitMs;
        this.followerWaitMs = followerWaitMs;
    }

    /**
     * Lets a leader's append go on, perhaps after a wait.
     *
     * @return to be ended when the append is over
     * @throws KafkaStorageException when there was no room; nothing is appended, and clients try again
     */
    Admission leader(KafkaPacedLog log, ByteBuffer records) {
        int bytes = records.remaining();
        SequencedBatch batch = SequencedBatch.of(records);
        if (batch != null && log.refused().precede(batch)) {
            throw refusal(log, "a batch of its producer that belongs before it was");
        }
        Handlers handlers = log.handlers();
        HandlerShare.Held handler = handlers.enter();
        if (handler == null) {
            throw refused(log, batch, OTHERS_HELD_UP);
        }
        UnflushedLog.Reservation reservation = log.unflushed().reserve(bytes, System.nanoTime());
        boolean mayWait = reservation != null || handlers.mayWait(handler);
        if (reservation == null && mayWait) {
            reservation = await(log, () -> log.reserve(bytes, leaderWaitMs));
        }
        if (reservation == null && !log.hasEnded()) {
            handlers.leave(handler);
            throw refused(log, batch, mayWait ? "it has waited " + leaderWaitMs + " ms" : OTHERS_HELD_UP);
        }
        ofRequest.get().add(log);
        return new Admission(log, reservation, handler);
    }

    /** As {@link #leader}, but {@link PutOff} where there is no room. */
    Object follower(KafkaPacedLog log, int bytes) {
        UnflushedLog.Reservation reservation = log.unflushed().reserve(bytes, System.nanoTime());
        if (reservation == null) {
            reservation = await(log, () -> log.reserve(bytes, followerWaitMs));
        }
        if (reservation == null && !log.hasEnded()) {
            log.dir().counts().increment(FlushCounter.PUT_OFF_APPENDS);
            return PutOff.INSTANCE;
        }
        return new Admission(log, reservation, null);
    }

    /** A leader is about to append what one request brings, to any number of logs, on this thread. */
    void requestBegins() {
        ofRequest.get().clear();
    }

    /**
     * It is over, and about to be answered: waits while what it has appended may not be acknowledged.
     *
     * @param failed whether Kafka has thrown, so that nothing is acknowledged
     * @param ofClient whether it is a client's, and not one of a coordinator of this broker, which could not take back
     *     what is written and is answered in the end
     * @throws KafkaStorageException when a log has waited in vain: its records are written but not acknowledged, and
     *     clients try again
     */
    void requestEnds(boolean failed, boolean ofClient) {
        List<KafkaPacedLog> appended = ofRequest.get();
        try {
            if (!failed) {
                appended.forEach(log -> awaitAcknowledgeable(log, ofClient));
            }
        } finally {
            appended.clear();
        }
    }

    private void awaitAcknowledgeable(KafkaPacedLog log, boolean ofClient) {
        if (log.unflushed().mayAcknowledge(System.nanoTime())) {
            return;
        }
        Handlers handlers = log.handlers();
        HandlerShare.Held handler = handlers.stay();
        boolean mayAcknowledge = Boolean.TRUE.equals(await(log, () -> log.awaitAcknowledgeable(leaderWaitMs)));
        handlers.leave(handler);
        if (!mayAcknowledge && ofClient && !log.hasEnded()) {
            throw refusal(log, "it is written, but no flush came within " + leaderWaitMs + " ms");
        }
    }

    private static <T> @Nullable T await(KafkaPacedLog log, Wait<T> wait) {
        FlushCounts counts = log.dir().counts();
        long beginNanos = System.nanoTime();
        counts.increment(FlushCounter.WAITING_APPENDS);
        counts.increment(FlushCounter.APPEND_WAITS);
        try {
            return wait.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } finally {
            counts.add(FlushCounter.WAITING_APPENDS, -1);
            counts.add(FlushCounter.APPEND_WAIT_NANOS, System.nanoTime() - beginNanos);
        }
    }

    private KafkaStorageException refused(KafkaPacedLog log, @Nullable SequencedBatch batch, String why) {
        if (batch != null) {
            log.refused().refused(batch, System.nanoTime());
        }
        return refusal(log, why);
    }

    private KafkaStorageException refusal(KafkaPacedLog log, String why) {
        log.dir().counts().increment(FlushCounter.REFUSED_APPENDS);
        String message = "An append to " + log.log().topicPartition() + " was refused, because " + why
                + ": the disk of " + log.log().parentDir()
                + " does not flush what comes in within flush.ratelimit.max.unflushed.bytes and .ms. Clients try it "
                + "again. If this lasts, the disk is too slow for its load, or failing.";
        long nowNanos = System.nanoTime();
        long dueNanos = nextWarningNanos.get();
        if (nowNanos - dueNanos >= 0 && nextWarningNanos.compareAndSet(dueNanos, nowNanos + QUIET_NANOS)) {
            LOG.warn(message);
        }
        return new KafkaStorageException(message);
    }
}

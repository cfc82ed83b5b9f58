/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import static io.evenkeel.flush.kafka.KafkaPacedLogTest.awaitWaiting;
import static io.evenkeel.flush.kafka.KafkaPacedLogTest.inBackground;
import static io.evenkeel.flush.kafka.TestLog.BATCH_BYTES;
import static io.evenkeel.flush.kafka.TestLog.SETTINGS;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.flush.FlushSettings;
import io.evenkeel.flush.disk.FlushCounter;
import io.evenkeel.flush.disk.FlushCounts;
import io.evenkeel.flush.disk.LogDirFlusher;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.record.internal.MemoryRecords;
import org.apache.kafka.common.record.internal.SimpleRecord;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BackPressureTest {
    private static final long SHORT_MS = 20;
    private static final long LONG_MS = 50_000;
    private static final FlushSettings SOON = new FlushSettings(1 << 20, SHORT_MS, SETTINGS.rates());

    @TempDir
    Path dir = Path.of("target");

    private final BackPressure patient = new BackPressure(LONG_MS, LONG_MS);
    private final BackPressure impatient = new BackPressure(SHORT_MS, SHORT_MS);
    private TestLog kafka;
    private KafkaPacedLog log;

    @BeforeEach
    void open() throws IOException {
        kafka = TestLog.in(dir, "one");
        // two handlers, two log directories: one for each
        log = open(new Handlers(2, () -> 2));
    }

    private KafkaPacedLog open(Handlers handlers) {
        return open(handlers, SETTINGS);
    }

    private KafkaPacedLog open(Handlers handlers, FlushSettings settings) {
        return new KafkaPacedLog(
                kafka,
                kafka.local,
                new LogDirFlusher(
                        dir.toString(), settings, settings::rates, new FlushCounts(), new DeviceCeilings(), true),
                handlers,
                settings,
                0);
    }

    @Test
    void whereThereIsRoomNobodyWaits() {
        patient.leader(log, bytes(BATCH_BYTES)).end();
        ((Admission) patient.follower(log, BATCH_BYTES)).end();
        assertThat(counted(FlushCounter.APPEND_WAITS)).isZero();
        patient.leader(log, bytes(2 * BATCH_BYTES)).end();
    }

    @Test
    void aLeadersAppendIsRefusedAfterTheLongestWait() throws Exception {
        fill();
        assertThatThrownBy(() -> impatient.leader(log, bytes(1)))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("one-0")
                .hasMessageContaining(SHORT_MS + " ms")
                .hasMessageContaining(kafka.local.parentDir());
        assertThat(counted(FlushCounter.REFUSED_APPENDS)).isEqualTo(1);
        assertThat(counted(FlushCounter.APPEND_WAITS)).isEqualTo(1);
        assertThat(counted(FlushCounter.WAITING_APPENDS)).isZero();
        log.flush();
        patient.leader(log, bytes(1)).end(); // its handler was given back
    }

    @Test
    void aFollowersAppendIsPutOff() throws Exception {
        fill();
        assertThat(impatient.follower(log, 1)).isSameAs(PutOff.INSTANCE);
        assertThat(counted(FlushCounter.PUT_OFF_APPENDS)).isEqualTo(1);
        assertThat(counted(FlushCounter.REFUSED_APPENDS)).isZero();
    }

    @Test
    void aLeadersAppendGoesOnWhenAFlushHasMadeRoom() throws Exception {
        fill();
        FutureTask<Admission> append = inBackground(() -> patient.leader(log, bytes(1)));
        awaitWaiting(append);
        log.flush();
        append.get().end();
        assertThat(counted(FlushCounter.APPEND_WAITS)).isEqualTo(1);
    }

    @Test
    void i6AnAppendIsRefusedWhileOthersHoldTheLogDirsHandlers() throws Exception {
        fill();
        FutureTask<Admission> waits = inBackground(() -> patient.leader(log, bytes(1)));
        awaitWaiting(waits);
        assertThatThrownBy(() -> patient.leader(log, bytes(1)))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("held up");
        log.flush();
        waits.get().end();
        patient.leader(log, bytes(1)).end();
    }

    @Test
    void i6NoMoreWaitForRoomThanTheLogDirsShare() throws Exception {
        // eight handlers, four log directories: two may wait, although six are let in
        log = open(new Handlers(8, () -> 4));
        fill();
        FutureTask<Admission> one = inBackground(() -> patient.leader(log, bytes(1)));
        FutureTask<Admission> two = inBackground(() -> patient.leader(log, bytes(1)));
        awaitWaiting(one);
        awaitWaiting(two);
        for (int i = 0; i < 8; i++) {
            assertThatThrownBy(() -> patient.leader(log, bytes(1)))
                    .isInstanceOf(KafkaStorageException.class)
                    .hasMessageContaining("held up");
        }
        assertThat(counted(FlushCounter.APPEND_WAITS)).isEqualTo(2);
        log.flush();
        one.get().end();
        two.get().end();
        patient.leader(log, bytes(1)).end();
    }

    @Test
    void nothingIsAskedOfALogThatHasEnded() throws Exception {
        fill();
        FutureTask<Admission> append = inBackground(() -> patient.leader(log, bytes(1)));
        awaitWaiting(append);
        log.retire();
        append.get().end();
        patient.leader(log, bytes(3 * BATCH_BYTES)).end();
    }

    /** Kafka takes any number for the first of a producer it does not know, so the second batch must not be. */
    @Test
    void i7NothingOfAProducerIsLetInBeforeItsRefusedBatch() throws Exception {
        ByteBuffer first = batch(0);
        ByteBuffer second = batch(1);
        fill();
        assertThatThrownBy(() -> impatient.leader(log, first)).isInstanceOf(KafkaStorageException.class);
        log.flush();
        assertThatThrownBy(() -> patient.leader(log, second))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("belongs before it");
        assertThat(counted(FlushCounter.REFUSED_APPENDS)).isEqualTo(2);
        patient.leader(log, bytes(1)).end();
        patient.leader(log, first).end();
        patient.leader(log, second).end();
    }

    @Test
    void i7AlsoWhenItWasRefusedForWantOfAHandler() throws Exception {
        ByteBuffer first = batch(0);
        Admission other = patient.leader(log, bytes(1));
        assertThatThrownBy(() -> patient.leader(log, first)).isInstanceOf(KafkaStorageException.class);
        other.end();
        assertThatThrownBy(() -> patient.leader(log, batch(1))).isInstanceOf(KafkaStorageException.class);
        patient.leader(log, first).end();
    }

    /** As when the disk hangs while an append is in its write: it was let in in time, and is over late. */
    @Test
    void i8ARequestThatWasHeldUpIsAnsweredAfterAFlush() throws Exception {
        log = open(new Handlers(2, () -> 2), SOON);
        FutureTask<Boolean> request = inBackground(() -> holdUp(patient, false, true));
        awaitOneWaits();
        log.flush();
        assertThat(request.get()).isTrue();
        assertThat(counted(FlushCounter.REFUSED_APPENDS)).isZero();
        patient.leader(log, bytes(1)).end(); // its handler was given back
    }

    @Test
    void i8ARequestIsNotAnsweredWhenNoFlushComes() throws Exception {
        log = open(new Handlers(2, () -> 2), SOON);
        assertThatThrownBy(() -> holdUp(impatient, false, true))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("written")
                .hasMessageContaining(SHORT_MS + " ms");
        assertThat(counted(FlushCounter.REFUSED_APPENDS)).isEqualTo(1);
        impatient.requestBegins();
        impatient.requestEnds(false, true); // the next one on this thread has nothing to do with it
        log.flush();
        patient.leader(log, bytes(1)).end();
    }

    @Test
    void i8WhoWaitsForAFlushIsLetGoWhenTheLogEnds() throws Exception {
        log = open(new Handlers(2, () -> 2), SOON);
        FutureTask<Boolean> request = inBackground(() -> holdUp(patient, false, true));
        awaitOneWaits();
        log.retire();
        assertThat(request.get()).isTrue();
        assertThat(counted(FlushCounter.REFUSED_APPENDS)).isZero();
    }

    /** It would take what is written for lost. */
    @Test
    void i8ACoordinatorWaitsAsLongAndIsAnswered() throws Exception {
        log = open(new Handlers(2, () -> 2), SOON);
        assertThat(holdUp(impatient, false, false)).isTrue();
        assertThat(counted(FlushCounter.APPEND_WAITS)).isEqualTo(1);
        assertThat(counted(FlushCounter.REFUSED_APPENDS)).isZero();
        log.flush();
        patient.leader(log, bytes(1)).end();
    }

    @Test
    void i8ARequestThatFailedWaitsForNothing() throws Exception {
        log = open(new Handlers(2, () -> 2), SOON);
        assertThat(holdUp(impatient, true, true)).isTrue();
        assertThat(counted(FlushCounter.APPEND_WAITS)).isZero();
    }

    /** A request with an append that takes longer than the bound. */
    private boolean holdUp(BackPressure by, boolean failed, boolean ofClient) throws Exception {
        by.requestBegins();
        Admission append = by.leader(log, bytes(BATCH_BYTES));
        kafka.append(log);
        TimeUnit.MILLISECONDS.sleep(2 * SOON.maxUnflushedMs());
        append.end();
        by.requestEnds(failed, ofClient);
        return true;
    }

    private void awaitOneWaits() throws InterruptedException {
        while (counted(FlushCounter.WAITING_APPENDS) == 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private static ByteBuffer batch(int baseSequence) {
        return MemoryRecords.withIdempotentRecords(
                        Compression.NONE, 20, (short) 0, baseSequence, new SimpleRecord(new byte[1]))
                .buffer();
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count);
    }

    private void fill() throws IOException {
        kafka.append(log);
        kafka.append(log);
    }

    private long counted(FlushCounter counter) {
        return requireNonNull(log.dir().counts().read().get(counter));
    }
}

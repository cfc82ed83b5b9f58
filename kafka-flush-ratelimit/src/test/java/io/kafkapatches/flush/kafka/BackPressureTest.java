/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.flush.kafka;

import static io.kafkapatches.flush.kafka.PacedLogTest.awaitWaiting;
import static io.kafkapatches.flush.kafka.PacedLogTest.inBackground;
import static io.kafkapatches.flush.kafka.TestLog.BATCH_BYTES;
import static io.kafkapatches.flush.kafka.TestLog.SETTINGS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.kafkapatches.core.DeviceCeilings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class BackPressureTest {
    private static final long SHORT_MS = 20;
    private static final long LONG_MS = 50_000;

    @TempDir
    Path dir = Path.of("target");

    private final BackPressure patient = new BackPressure(LONG_MS, LONG_MS);
    private final BackPressure impatient = new BackPressure(SHORT_MS, SHORT_MS);
    private TestLog kafka;
    private PacedLog log;

    @BeforeEach
    void open() throws IOException {
        kafka = TestLog.in(dir, "one");
        // two handlers, two log directories: one for each
        log = open(new Handlers(2, () -> 2));
    }

    private PacedLog open(Handlers handlers) {
        return new PacedLog(
                kafka,
                kafka.local,
                new LogDirFlusher(dir.toString(), SETTINGS, SETTINGS::rates, handlers, new DeviceCeilings()),
                SETTINGS,
                0);
    }

    @Test
    void whereThereIsRoomNobodyWaits() {
        patient.leader(log, BATCH_BYTES).end();
        ((Admission) patient.follower(log, BATCH_BYTES)).end();
        assertThat(counts().appendWaits.sum()).isZero();
        patient.leader(log, 2 * BATCH_BYTES).end();
    }

    @Test
    void aLeadersAppendIsRefusedAfterTheLongestWait() throws Exception {
        fill();
        assertThatThrownBy(() -> impatient.leader(log, 1))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("one-0")
                .hasMessageContaining(SHORT_MS + " ms")
                .hasMessageContaining(kafka.local.parentDir());
        assertThat(counts().refusedAppends.sum()).isEqualTo(1);
        assertThat(counts().appendWaits.sum()).isEqualTo(1);
        assertThat(counts().waitingAppends.sum()).isZero();
        log.force();
        patient.leader(log, 1).end(); // its handler was given back
    }

    @Test
    void aFollowersAppendIsPutOff() throws Exception {
        fill();
        assertThat(impatient.follower(log, 1)).isSameAs(PutOff.INSTANCE);
        assertThat(counts().putOffAppends.sum()).isEqualTo(1);
        assertThat(counts().refusedAppends.sum()).isZero();
    }

    @Test
    void aLeadersAppendGoesOnWhenAForceHasMadeRoom() throws Exception {
        fill();
        FutureTask<Admission> append = inBackground(() -> patient.leader(log, 1));
        awaitWaiting(append);
        log.force();
        append.get().end();
        assertThat(counts().appendWaits.sum()).isEqualTo(1);
    }

    @Test
    void i6AnAppendIsRefusedWhileOthersHoldTheLogDirsHandlers() throws Exception {
        fill();
        FutureTask<Admission> waits = inBackground(() -> patient.leader(log, 1));
        awaitWaiting(waits);
        assertThatThrownBy(() -> patient.leader(log, 1))
                .isInstanceOf(KafkaStorageException.class)
                .hasMessageContaining("held up");
        log.force();
        waits.get().end();
        patient.leader(log, 1).end();
    }

    @Test
    void i6NoMoreWaitForRoomThanTheLogDirsShare() throws Exception {
        // eight handlers, four log directories: two may wait, although six are let in
        log = open(new Handlers(8, () -> 4));
        fill();
        FutureTask<Admission> one = inBackground(() -> patient.leader(log, 1));
        FutureTask<Admission> two = inBackground(() -> patient.leader(log, 1));
        awaitWaiting(one);
        awaitWaiting(two);
        for (int i = 0; i < 8; i++) {
            assertThatThrownBy(() -> patient.leader(log, 1))
                    .isInstanceOf(KafkaStorageException.class)
                    .hasMessageContaining("held up");
        }
        assertThat(counts().appendWaits.sum()).isEqualTo(2);
        log.force();
        one.get().end();
        two.get().end();
        patient.leader(log, 1).end();
    }

    @Test
    void nothingIsAskedOfALogThatHasEnded() throws Exception {
        fill();
        FutureTask<Admission> append = inBackground(() -> patient.leader(log, 1));
        awaitWaiting(append);
        log.retire();
        append.get().end();
        patient.leader(log, 3 * BATCH_BYTES).end();
    }

    private void fill() throws IOException {
        kafka.append(log);
        kafka.append(log);
    }

    private FlushCounts counts() {
        return log.dir().counts();
    }
}

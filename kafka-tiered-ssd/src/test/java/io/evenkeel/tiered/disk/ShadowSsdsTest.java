/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.api.Device;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.ShadowStats;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.api.TierSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An SSD of 8 MiB that is not there; it evicts above 7.2 MiB, down to 4 MiB. */
class ShadowSsdsTest {
    private static final long MIB = 1 << 20;
    private static final Path PARTITION = Path.of("/hdd/orders-0");

    private final TierSettings settings =
            new TierSettings(List.of(), 1, 8 * MIB, OnMissing.FAIL, 0, FakeBroker.dynamicSettings(TierMode.SHADOW));
    private long nowNanos;
    private final Placement placement = new Placement(settings::dynamic, () -> nowNanos);
    private final LogDir logDir = new LogDir(Path.of("/hdd"), "id", new Hdd(() -> nowNanos, 0), List.of());
    private final ShadowSsds shadow =
            new ShadowSsds(settings, List.of(logDir), placement, settings::dynamic, () -> nowNanos);

    private ShadowFile open(boolean isNew) {
        return requireNonNull(shadow.open(logDir, PARTITION, new OpenRequest(4 * MIB, 0, Device.HDD), isNew));
    }

    private ShadowFile sealed(long bytes) {
        ShadowFile file = open(true);
        file.wrote(0, bytes);
        file.seal();
        nowNanos += TimeUnit.MILLISECONDS.toNanos(1);
        return file;
    }

    private void evict() throws Exception {
        requireNonNull(shadow.workers().get("shadow")).run(nowNanos);
    }

    private List<Long> readBytes() {
        ShadowStats stats = shadow.stats();
        return List.of(stats.ssd().readBytes(), stats.hdd().readBytes());
    }

    @Test
    void whatIsAppendedToANewSegmentIsReadFromTheSsd() {
        ShadowFile file = open(true);
        file.wrote(0, 100);
        file.wrote(100, 50);
        file.read(90, 60, 0);
        file.read(150, -1, 0);
        assertThat(readBytes()).containsExactly(60L, 0L);
        assertThat(shadow.stats().heldBytes()).isEqualTo(150);
    }

    /** The tier rolls there when the segment is worth it; what follows begins on the SSD. */
    @Test
    void aSegmentThatWasThereGoesOnOnTheSsd() {
        ShadowFile file = open(false);
        long worth = 4 * MIB / 16;
        file.wrote(1, 99);
        file.wrote(worth, 100);
        file.read(worth - 10, 30, 0);
        assertThat(readBytes()).containsExactly(20L, 10L);
    }

    @Test
    void theTiersOwnRulesOfPlacementHold() {
        placement.role("orders-0", false);
        ShadowFile follower = open(true);
        follower.wrote(0, 100);
        follower.read(0, 100, 0);
        assertThat(readBytes()).as("its topic wants followers on the HDD").containsExactly(0L, 100L);
        assertThat(shadow.stats().refusedSegments()).isZero();
    }

    @Test
    void theOldestSealedSegmentsAreEvictedDownToTheWatermark() throws Exception {
        ShadowFile first = sealed(3 * MIB);
        ShadowFile second = sealed(MIB / 2);
        ShadowFile third = sealed(MIB / 2);
        evict();
        assertThat(shadow.stats().evictedSegments()).as("below the watermark").isZero();
        ShadowFile active = open(true);
        active.wrote(0, 7 * MIB / 2);
        evict();
        assertThat(shadow.stats().evictedSegments()).isEqualTo(2);
        assertThat(shadow.stats().evictedBytes()).isEqualTo(7 * MIB / 2);
        assertThat(shadow.stats().heldBytes()).isEqualTo(4 * MIB);
        List.of(first, second, third, active).forEach(file -> file.read(0, 10, 0));
        assertThat(readBytes()).containsExactly(20L, 20L);
    }

    /** Nobody appends to them, so in the tier they are copied and evicted although they are active. */
    @Test
    void quietActiveSegmentsLeaveWhenThereAreNoOthers() throws Exception {
        ShadowFile quiet = open(true);
        quiet.wrote(0, 4 * MIB - 1);
        nowNanos += TimeUnit.MINUTES.toNanos(2);
        ShadowFile busy = open(true);
        busy.wrote(0, 4 * MIB - 1);
        evict();
        quiet.read(0, 10, 0);
        busy.read(0, 5, 0);
        assertThat(readBytes()).containsExactly(5L, 10L);
    }

    @Test
    void aNewSegmentThatFindsNoRoomIsOnTheHdd() throws Exception {
        ShadowFile first = open(true);
        first.wrote(0, 4 * MIB);
        ShadowFile second = open(true);
        second.wrote(0, 2 * MIB);
        ShadowFile third = open(true);
        third.wrote(0, 100);
        third.read(0, 100, 0);
        assertThat(shadow.stats().refusedSegments()).isEqualTo(1);
        assertThat(readBytes()).containsExactly(0L, 100L);
        first.seal();
        evict();
        assertThat(shadow.stats().evictedSegments())
                .as("a refusal makes room, below the watermark as well")
                .isEqualTo(1);
    }

    @Test
    void anAppendThatDoesNotFitIsOnTheHddAndSoIsTheRest() {
        open(true).wrote(0, 4 * MIB);
        ShadowFile second = open(true);
        second.wrote(0, 3 * MIB);
        second.wrote(3 * MIB, 2 * MIB);
        second.read(3 * MIB - 10, 20, 0);
        assertThat(readBytes()).containsExactly(10L, 10L);
    }

    @Test
    void whatKafkaTruncatesOrClosesFreesItsSpace() {
        ShadowFile file = open(true);
        file.wrote(0, 1000);
        file.truncated(400);
        assertThat(shadow.stats().heldBytes()).isEqualTo(400);
        file.wrote(400, 100);
        file.read(0, 500, 0);
        file.leave();
        file.leave();
        file.read(0, 500, 0);
        assertThat(readBytes()).containsExactly(500L, 500L);
        assertThat(shadow.stats().heldBytes()).isZero();
    }

    @Test
    void aWaitIsSavedWhenTheSsdWouldHaveHadAllBytes() {
        ShadowFile file = open(false);
        file.wrote(4 * MIB / 16, 1000);
        long waitNanos = TimeUnit.MILLISECONDS.toNanos(20);
        file.read(4 * MIB / 16, 1000, waitNanos);
        file.read(4 * MIB / 16 - 1, 1000, waitNanos);
        file.read(4 * MIB / 16, 1000, 1000);
        assertThat(shadow.stats().savedWaits().operations()).isEqualTo(1);
        assertThat(shadow.stats().savedWaits().nanos()).isEqualTo(waitNanos);
    }

    @Test
    void outsideTheShadowThereIsNothing() {
        TierSettings on = new TierSettings(List.of(), 0, 0, OnMissing.FAIL, 0, FakeBroker.dynamicSettings());
        ShadowSsds none = new ShadowSsds(on, List.of(logDir), placement, on::dynamic, () -> nowNanos);
        assertThat(none.open(logDir, PARTITION, new OpenRequest(MIB, 0, null), true))
                .isNull();
        assertThat(none.workers()).isEmpty();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.file.FileOps;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SsdDirTest {
    private long usableBytes = Long.MAX_VALUE;

    /** The low watermark is at 500 and the high one at 900. */
    private final SsdDir ssd = new SsdDir(
            new FileOps() {
                @Override
                public long usableBytes(Path dir) {
                    return usableBytes;
                }
            },
            Path.of("/ssd"),
            1000);

    private double pressure() {
        return ssd.copyPressure(FakeBroker.dynamicSettings());
    }

    @Test
    void pressureRisesBetweenTheWatermarks() {
        assertThat(pressure()).isZero();
        ssd.addReserved(500, 0);
        assertThat(pressure()).isZero();
        ssd.addReserved(100, 0);
        assertThat(pressure()).isCloseTo(0.25, within(0.001));
        ssd.addReserved(300, 0);
        assertThat(pressure()).isEqualTo(1);
        ssd.addReserved(200, 0);
        assertThat(pressure()).isEqualTo(1);
    }

    @Test
    void whatCanBeEvictedAtAnyTimeDoesNotPress() {
        ssd.addReserved(1000, 0);
        ssd.addCached(600);
        assertThat(pressure()).isZero();
        ssd.addCached(-600);
        assertThat(pressure()).isEqualTo(1);
    }

    /** Else a log would roll to another segment on the same SSD at each append. */
    @Test
    void ssdWhoseReservedSpaceIsTakenHasNoRoomUntilItIsLookedAtAgain() {
        ssd.addReserved(500, 500);
        usableBytes = 400;
        ssd.checkSpace();
        assertThat(ssd.isCrowded()).isTrue();
        usableBytes = 800;
        assertThat(ssd.hasRoom(100)).isFalse();
        ssd.checkSpace();
        assertThat(ssd.hasRoom(100)).isTrue();
    }

    @Test
    void whatSomethingElseTakesOfTheFileSystemPressesToo() {
        ssd.addReserved(400, 0);
        assertThat(pressure()).isZero();
        usableBytes = 100; // so there is room for 500, and the watermarks are at 250 and 450
        assertThat(pressure()).isCloseTo(0.75, within(0.001));
        usableBytes = 0;
        assertThat(pressure()).isEqualTo(1);
    }

    @Test
    void whatOnlyAFailedDeviceHasShouldGetToSafety() {
        ssd.suspect();
        assertThat(pressure()).isEqualTo(1);
    }
}

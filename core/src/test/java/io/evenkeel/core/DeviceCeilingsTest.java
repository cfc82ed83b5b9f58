/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceCeilingsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final DeviceCeilings ceilings = new DeviceCeilings();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void nobodyWaitsWhereThereIsNoCeiling() {
        ceilings.of("disk").reserve(1L << 50, 0);
        assertThat(ceilings.of("disk").waitNanos(0)).isZero();
    }

    @Test
    void aDiskHasOneBudgetAndNoneOfTheOthers() {
        ceilings.rate(1000, 0);
        ceilings.of("disk").reserve(2000, 0);
        assertThat(ceilings.of("disk").waitNanos(0)).isBetween(SECOND, 2 * SECOND);
        assertThat(ceilings.of("other").waitNanos(0)).isZero();
    }

    @Test
    void aChangeHoldsForDisksThatAreKnownAndForThoseToCome() {
        RateLimiter known = ceilings.of("known");
        ceilings.rate(1000, 0);
        known.reserve(2000, 0);
        ceilings.of("new").reserve(2000, 0);
        assertThat(known.waitNanos(0)).isPositive().isEqualTo(ceilings.of("new").waitNanos(0));
        ceilings.rate(DeviceCeilings.UNLIMITED, 0);
        assertThat(known.waitNanos(0)).isZero();
    }

    @Test
    void whatIsLinkedIsOnTheDiskItIsLinkedTo() throws IOException {
        Path shm = Files.createTempFile(Path.of("/dev/shm"), "evenkeel", ".log");
        try {
            Path link = Files.createSymbolicLink(dir.resolve("link"), shm);
            Object there = DeviceId.of(link, "unknown");
            assertThat(there).isEqualTo(DeviceId.of(shm, "unknown"));
            assertThat(there).isNotEqualTo(DeviceId.of(dir, "unknown"));
        } finally {
            Files.delete(shm);
        }
    }

    @Test
    void whereNothingIsTheSystemDoesNotSay() {
        assertThat(DeviceId.of(dir.resolve("nothing"), "unknown")).isEqualTo("unknown");
    }
}

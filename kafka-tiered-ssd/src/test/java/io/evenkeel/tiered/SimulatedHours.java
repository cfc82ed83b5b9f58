/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import java.util.concurrent.TimeUnit;

/** The virtual time that the model tests here pass, {@code -Dsimulated.hours} at least. {@code ./verify} adds it up. */
final class SimulatedHours {
    /** All tests share it. */
    static final long NANOS = TimeUnit.HOURS.toNanos(Integer.getInteger("simulated.hours", 0));

    private SimulatedHours() {}

    static void print(String test, long firstSeed, long lastSeed, long nanos) {
        double hours = (double) nanos / TimeUnit.HOURS.toNanos(1);
        System.out.printf("simulated tier %.1f h, seeds %d to %d: %s%n", hours, firstSeed, lastSeed, test);
    }
}

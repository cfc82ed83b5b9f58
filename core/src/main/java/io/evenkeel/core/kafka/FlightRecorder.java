/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core.kafka;

/** Whether the JVM has the flight recorder: a runtime image that was made with {@code jlink} may lack it. Stateless. */
public final class FlightRecorder {
    private static final boolean IS_THERE =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecorder() {}

    /** While this is false, no class that extends an event of the recorder may be touched. */
    public static boolean isThere() {
        return IS_THERE;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.purgatory.kafka.PurgatoryWheelHooks;
import java.util.List;

/**
 * Which classes the purgatory wheel replaces: the timer of delayed requests, and what they wait in. Stateless.
 *
 * <p>Nothing is woven: what uses these classes finds the same API. Those beside them that stock's own timer is made of,
 * {@code TimerTaskEntry}, {@code TimerTaskList} and {@code TimingWheel}, stay as they are, for other timers.
 */
final class PurgatoryWheelPatch {
    private static final String FOLDER = "io/evenkeel/purgatory/replaced";
    /** Until 4.0 an operation may bring a lock of its own, and completes without it. */
    private static final String FOLDER_4_0 = "io/evenkeel/purgatory/replaced4_0";

    private static final String PURGATORY = "org.apache.kafka.server.purgatory.";
    private static final String TIMER = "org.apache.kafka.server.util.timer.";

    private PurgatoryWheelPatch() {}

    static Patch patch() {
        return new Patch(
                "purgatory-wheel",
                "purgatory.wheel.",
                keys -> PurgatoryWheelHooks.configure(keys),
                keys -> {},
                List.of(),
                List.of(
                        new ReplacedClass(
                                TIMER + "TimerTask",
                                List.of(FOLDER),
                                "what times out is itself the cell of the timer's lists"),
                        new ReplacedClass(
                                TIMER + "SystemTimer",
                                List.of(FOLDER),
                                "keeps time with our wheel; threads that add and cancel do not wait for one another"),
                        new ReplacedClass(
                                PURGATORY + "DelayedOperation",
                                List.of(FOLDER, FOLDER_4_0),
                                "leaves the timer and all its watch lists at once when it is completed"),
                        new ReplacedClass(
                                PURGATORY + "DelayedOperation$Action", List.of(FOLDER), "belongs to the one before"),
                        new ReplacedClass(
                                PURGATORY + "DelayedOperationPurgatory",
                                List.of(FOLDER),
                                "keeps watch lists that have nothing to purge")));
    }
}

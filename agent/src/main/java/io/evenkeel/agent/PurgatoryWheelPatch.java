/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.purgatory.kafka.PurgatoryWheelHooks;
import java.util.List;

/**
 * Which classes the purgatory wheel replaces: the timer of delayed requests, and the lists that they wait in.
 * Stateless.
 *
 * <p>Nothing is woven: the code that uses these classes finds the same API. The other classes of stock's timer,
 * {@code TimerTaskEntry}, {@code TimerTaskList} and {@code TimingWheel}, stay as they are, for other timers.
 */
final class PurgatoryWheelPatch {
    private static final String FOLDER = "io/evenkeel/purgatory/replaced";
    /** In 4.0, an operation may bring its own lock, and completes without holding it. */
    private static final String FOLDER_4_0 = "io/evenkeel/purgatory/replaced4_0";

    private static final String PURGATORY = "org.apache.kafka.server.purgatory.";
    private static final String TIMER = "org.apache.kafka.server.util.timer.";

    private PurgatoryWheelPatch() {}

    static Patch patch() {
        return new Patch(
                "purgatory-wheel",
                "purgatory.wheel.",
                keys -> PurgatoryWheelHooks.configure(keys),
                null,
                List.of(),
                List.of(
                        new ReplacedClass(
                                TIMER + "TimerTask",
                                List.of(FOLDER),
                                "makes each task an entry of the timer's lists, without a second object"),
                        new ReplacedClass(
                                TIMER + "SystemTimer",
                                List.of(FOLDER),
                                "uses our timing wheel; threads that add and cancel tasks do not wait for each other"),
                        new ReplacedClass(
                                PURGATORY + "DelayedOperation",
                                List.of(FOLDER, FOLDER_4_0),
                                "removes itself from the timer and all its watch lists as soon as it is completed"),
                        new ReplacedClass(
                                PURGATORY + "DelayedOperation$Action",
                                List.of(FOLDER),
                                "belongs to `DelayedOperation`"),
                        new ReplacedClass(
                                PURGATORY + "DelayedOperationPurgatory",
                                List.of(FOLDER),
                                "keeps watch lists that never need a purge")));
    }
}

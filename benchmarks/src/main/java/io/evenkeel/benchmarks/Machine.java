/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks;

import java.lang.management.ManagementFactory;

/** The machine that figures are of. Stateless. */
public final class Machine {
    private Machine() {}

    public static String describe() {
        return "%s, %d CPUs, %s %s, JDK %s, load %s"
                .formatted(
                        System.getProperty("os.arch"),
                        Runtime.getRuntime().availableProcessors(),
                        System.getProperty("os.name"),
                        System.getProperty("os.version"),
                        System.getProperty("java.version"),
                        load());
    }

    /** How many threads wanted to run, over the last minute, whoever's they were. */
    public static String load() {
        return "%.1f".formatted(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.lab;

import java.lang.management.ManagementFactory;

/** The machine that the figures were measured on. Stateless. */
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

    /** How many threads of all processes wanted to run, averaged over the last minute. */
    public static String load() {
        return "%.1f".formatted(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    }
}

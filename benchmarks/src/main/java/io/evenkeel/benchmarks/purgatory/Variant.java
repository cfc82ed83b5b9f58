/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import java.io.File;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * What takes its turn in a comparison: a design, and where the classes with Kafka's names come from.
 *
 * @param design a timer's or purgatory's name
 * @param replaced whether our classes go before Kafka's own
 */
record Variant(String name, String design, boolean replaced) {
    private static final String OWN_CLASS_PATH = System.getProperty("java.class.path");

    private static final Set<String> TIMERS = Set.of("netty", "agrona", "executor", "delayQueue", "empty");
    private static final Set<Class<?>> PURGATORY_BENCHMARKS = Set.of(PurgatoryBenchmark.class, HotKeyBenchmark.class);
    private static final Set<String> PURGATORIES = Set.of("delayQueue");

    static final Variant STOCK = new Variant("stock", "kafka", false);

    /** {@code stock} and {@code ours} are Kafka's own classes and what replaces them; all others are designs. */
    static Variant named(String name) {
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "stock" -> STOCK;
            case "ours" -> new Variant("ours", "kafka", true);
            default -> new Variant(name, name, false);
        };
    }

    /** This JVM's own class path, behind the classes that replace Kafka's when they are wanted. */
    String classPath() {
        return replaced ? replacingClasses() + File.pathSeparator + OWN_CLASS_PATH : OWN_CLASS_PATH;
    }

    private static String replacingClasses() {
        return Objects.requireNonNull(
                System.getProperty("replacing.classes"),
                "set the system property replacing.classes to where the classes are that replace Kafka's");
    }

    /** Whether it is among those that a benchmark is about. */
    boolean isOf(Class<?> benchmark) {
        return design.equals("kafka")
                || (benchmark == TimerBenchmark.class && TIMERS.contains(design))
                || (PURGATORY_BENCHMARKS.contains(benchmark) && PURGATORIES.contains(design));
    }
}

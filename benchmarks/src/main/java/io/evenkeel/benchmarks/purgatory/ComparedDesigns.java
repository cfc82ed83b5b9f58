/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.purgatory;

import io.evenkeel.benchmarks.lab.Variant;
import java.io.File;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The variants of timers and purgatories, their designs, and the class paths that they run with. Stateless.
 *
 * <p>{@code stock} and {@code ours} are the same design, whose classes have Kafka's names. The class path decides which
 * classes of that name are loaded. The other variants are called as their designs.
 */
final class ComparedDesigns {
    private static final String KAFKA = "kafka";
    private static final String OWN_CLASS_PATH = System.getProperty("java.class.path");

    private static final Set<String> TIMERS = Set.of("netty", "agrona", "executor", "delayQueue", "empty");
    private static final Set<Class<?>> PURGATORY_BENCHMARKS = Set.of(PurgatoryBenchmark.class, HotKeyBenchmark.class);
    private static final Set<String> PURGATORIES = Set.of("delayQueue", "empty");

    private static final List<Variant> ALL = List.of(
            Variant.STOCK,
            new Variant("ours", true),
            new Variant("netty", false),
            new Variant("agrona", false),
            new Variant("executor", false),
            new Variant("delayQueue", false),
            new Variant("empty", false));

    private ComparedDesigns() {}

    /** @throws IllegalArgumentException when a name is unknown */
    static List<Variant> named(List<String> names) {
        return Variant.named(names, ALL);
    }

    /** The name of the variant's timer or purgatory. */
    static String design(Variant variant) {
        return isKafka(variant) ? KAFKA : variant.name();
    }

    /** Whether the variant's classes have Kafka's names. */
    static boolean isKafka(Variant variant) {
        return variant.patched() || variant.equals(Variant.STOCK);
    }

    /** The class path of this JVM; for a patched variant with the classes before it that replace Kafka's. */
    static String classPath(Variant variant) {
        return variant.patched() ? replacingClasses() + File.pathSeparator + OWN_CLASS_PATH : OWN_CLASS_PATH;
    }

    private static String replacingClasses() {
        return Objects.requireNonNull(
                System.getProperty("replacing.classes"),
                "set the system property replacing.classes to the directory of the classes that replace Kafka's");
    }

    /** Whether a benchmark has this variant. */
    static boolean isOf(Class<?> benchmark, Variant variant) {
        return isKafka(variant)
                || (benchmark == TimerBenchmark.class && TIMERS.contains(variant.name()))
                || (PURGATORY_BENCHMARKS.contains(benchmark) && PURGATORIES.contains(variant.name()));
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import io.evenkeel.core.kafka.ConfigHooks;
import io.evenkeel.core.kafka.PatchConfig;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A feature and all that it changes in the broker. It is woven in as a whole or not at all. Immutable.
 *
 * @param name as operators know it
 * @param keyPrefix all of its config keys begin with it
 * @param configure gets the patch's keys from the files that the broker starts with, before any class file is read, and
 *     answers whether the patch is on; throws an {@link IllegalArgumentException} when a key is wrong
 * @param config made and registered at {@link ConfigHooks} after all patches are checked; null for a patch without keys
 *     that Kafka reads
 */
record Patch(
        String name,
        String keyPrefix,
        Predicate<Map<String, String>> configure,
        @Nullable Class<? extends PatchConfig> config,
        List<HookPoint> hookPoints,
        List<ReplacedClass> replacedClasses) {

    /** The names of all classes that it may change, in any supported version. */
    Stream<String> targets() {
        return Stream.concat(
                hookPoints.stream()
                        .flatMap(hookPoint -> hookPoint.candidates().stream().map(HookPoint.Method::owner)),
                replacedClasses.stream().map(ReplacedClass::name));
    }

    /** The names of the classes from which woven code reaches our code. */
    Stream<String> entries() {
        return Stream.concat(hookPoints.stream().map(HookPoint::advice), Stream.ofNullable(config))
                .map(Class::getName);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A feature and what it changes in the broker: all of that, or nothing. Immutable.
 *
 * @param name as operators know it
 * @param keyPrefix what all of its config keys start with
 * @param configure is told our keys of the files that the broker starts with, before anything is looked at, and answers
 *     whether the patch is on; throws an {@link IllegalArgumentException} when one of them is not right
 * @param overrides takes the keys of the agent's {@code config} file, after all is checked
 */
record Patch(
        String name,
        String keyPrefix,
        Predicate<Map<String, String>> configure,
        Consumer<Map<String, String>> overrides,
        List<HookPoint> hookPoints,
        List<ReplacedClass> replacedClasses) {

    /** The names of all classes that it may change. */
    Stream<String> targets() {
        return Stream.concat(
                hookPoints.stream()
                        .flatMap(hookPoint -> hookPoint.candidates().stream().map(HookPoint.Method::owner)),
                replacedClasses.stream().map(ReplacedClass::name));
    }
}

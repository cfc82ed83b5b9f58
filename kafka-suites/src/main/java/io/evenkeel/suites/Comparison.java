/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import io.evenkeel.suites.Outcome.Status;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * The same tests on stock and on patched, test by test. Immutable.
 *
 * @param differ tests that hold stock to something that we do better, so they fail when patched
 */
record Comparison(Map<String, Outcome> stock, Map<String, Outcome> patched, Set<String> differ) {
    private static final Outcome NOT_RUN = new Outcome(Status.SKIPPED, "was not run");

    /**
     * The tests that pass on stock and do not pass when patched. A test that ran only when patched and failed might
     * have passed on stock.
     */
    List<String> broken() {
        return Stream.concat(
                        tests((onStock, onPatched) -> onStock == Status.PASSED && onPatched != Status.PASSED),
                        patched.keySet().stream()
                                .filter(test -> !stock.containsKey(test) && status(patched, test) == Status.FAILED))
                .filter(test -> !differ.contains(test))
                .sorted()
                .toList();
    }

    /** The tests that pass on stock and fail when patched, as listed. */
    List<String> differOnPurpose() {
        return tests((onStock, onPatched) -> onStock == Status.PASSED && onPatched == Status.FAILED)
                .filter(differ::contains)
                .sorted()
                .toList();
    }

    /** The tests that are listed as different and pass on both. */
    List<String> stale() {
        return tests((onStock, onPatched) -> onPatched == Status.PASSED)
                .filter(differ::contains)
                .sorted()
                .toList();
    }

    /** How many tests prove something. */
    long passOnBoth() {
        return tests((onStock, onPatched) -> onStock == Status.PASSED && onPatched == Status.PASSED)
                .count();
    }

    /** The tests that fail on both. */
    List<String> failOnBoth() {
        return tests((onStock, onPatched) -> onStock == Status.FAILED && onPatched != Status.PASSED)
                .sorted()
                .toList();
    }

    /** The tests that fail on stock and pass when patched: they depend on chance. */
    List<String> failOnStock() {
        return tests((onStock, onPatched) -> onStock == Status.FAILED && onPatched == Status.PASSED)
                .sorted()
                .toList();
    }

    private Stream<String> tests(BiPredicate<Status, Status> which) {
        return stock.keySet().stream().filter(test -> which.test(status(stock, test), status(patched, test)));
    }

    /** How it ended when patched, and why. */
    String reason(String test) {
        return of(patched, test).reason();
    }

    static long count(Map<String, Outcome> outcomes, Status status) {
        return outcomes.values().stream()
                .filter(outcome -> outcome.status() == status)
                .count();
    }

    private static Status status(Map<String, Outcome> outcomes, String test) {
        return of(outcomes, test).status();
    }

    private static Outcome of(Map<String, Outcome> outcomes, String test) {
        return outcomes.getOrDefault(test, NOT_RUN);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.suites;

import io.kafkapatches.suites.Outcome.Status;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiPredicate;

/** The same tests on stock and on patched, test by test. Immutable. */
record Comparison(Map<String, Outcome> stock, Map<String, Outcome> patched) {
    private static final Outcome NOT_RUN = new Outcome(Status.SKIPPED, "was not run");

    /** What passes on stock, and does not when patched. */
    List<String> broken() {
        return tests((onStock, onPatched) -> onStock.status() == Status.PASSED && onPatched.status() != Status.PASSED);
    }

    /** What fails on stock, patched or not. */
    List<String> failOnBoth() {
        return tests((onStock, onPatched) -> onStock.status() == Status.FAILED && onPatched.status() != Status.PASSED);
    }

    /** What fails on stock, and passes when patched: a test that depends on chance. */
    List<String> failOnStock() {
        return tests((onStock, onPatched) -> onStock.status() == Status.FAILED && onPatched.status() == Status.PASSED);
    }

    private List<String> tests(BiPredicate<Outcome, Outcome> which) {
        TreeSet<String> all = new TreeSet<>(stock.keySet());
        all.addAll(patched.keySet());
        return all.stream()
                .filter(test -> which.test(of(stock, test), of(patched, test)))
                .toList();
    }

    String reason(String test) {
        return of(patched, test).reason();
    }

    static long count(Map<String, Outcome> outcomes, Status status) {
        return outcomes.values().stream()
                .filter(outcome -> outcome.status() == status)
                .count();
    }

    private static Outcome of(Map<String, Outcome> outcomes, String test) {
        return outcomes.getOrDefault(test, NOT_RUN);
    }
}

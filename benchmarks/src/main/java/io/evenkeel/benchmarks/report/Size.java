/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.report;

import java.util.Locale;

/** How much of an experiment is run. */
enum Size {
    /** Checks only that all of it runs; the figures mean nothing. */
    SMOKE,
    /** All experiments in about 40 minutes on two processors. */
    QUICK,
    /** Some hours. */
    FULL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Runs the benchmarks as named experiments and makes one page of their results. Reads the Markdown tables that they
 * print; {@code Experiments} says which, the rest knows no benchmark.
 */
@NullMarked
package io.evenkeel.benchmarks.report;

import org.jspecify.annotations.NullMarked;

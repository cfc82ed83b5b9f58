/* SPDX-License-Identifier: Apache-2.0 */
/** Whole brokers, stock and patched: throughput, start, idle CPU time, and growth over hours. */
@NullMarked
package io.evenkeel.benchmarks.broker;

import org.jspecify.annotations.NullMarked;

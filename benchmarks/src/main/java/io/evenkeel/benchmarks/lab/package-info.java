/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The rig that the benchmarks share: variants, brokers in control groups, disks, paced load, latencies, and summaries.
 */
@NullMarked
package io.evenkeel.benchmarks.lab;

import org.jspecify.annotations.NullMarked;

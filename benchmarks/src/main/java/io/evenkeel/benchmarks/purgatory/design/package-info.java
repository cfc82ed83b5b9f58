/* SPDX-License-Identifier: Apache-2.0 */

/** The designs of timers and purgatories that the benchmarks compare, and the completers of requests. */
@NullMarked
package io.evenkeel.benchmarks.purgatory.design;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */

/** Delayed requests: timers and purgatories of several designs under the same load. */
@NullMarked
package io.evenkeel.benchmarks.purgatory;

import org.jspecify.annotations.NullMarked;

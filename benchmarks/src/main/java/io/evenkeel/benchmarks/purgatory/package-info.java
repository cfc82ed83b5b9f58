/* SPDX-License-Identifier: Apache-2.0 */

/** Requests that wait: timers and purgatories of several designs under the same load. */
@NullMarked
package io.evenkeel.benchmarks.purgatory;

import org.jspecify.annotations.NullMarked;

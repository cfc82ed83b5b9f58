/* SPDX-License-Identifier: Apache-2.0 */
/** A patched broker under everything at once for hours: does anything grow that must not? */
@NullMarked
package io.evenkeel.benchmarks.soak;

import org.jspecify.annotations.NullMarked;

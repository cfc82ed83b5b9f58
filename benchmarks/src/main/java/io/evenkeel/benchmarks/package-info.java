/* SPDX-License-Identifier: Apache-2.0 */

/** One question a class, asked of the patches and of stock in the same run. */
@NullMarked
package io.evenkeel.benchmarks;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/** A patched broker compared with a stock one, and what a broker does that cannot be patched. */
@NullMarked
package io.evenkeel.it.stock;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/** A patched broker compared with a stock one, and a broker that cannot be patched. */
@NullMarked
package io.evenkeel.it.stock;

import org.jspecify.annotations.NullMarked;

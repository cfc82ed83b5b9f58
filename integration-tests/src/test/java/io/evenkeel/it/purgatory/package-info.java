/* SPDX-License-Identifier: Apache-2.0 */
/** Delayed produce, fetch and delete requests on the timing wheel. */
@NullMarked
package io.evenkeel.it.purgatory;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/** What the patches promise, tried on real brokers. */
@NullMarked
package io.evenkeel.it;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/** The files in {@code observability/}: what they say, and what a real Prometheus makes of them. */
@NullMarked
package io.evenkeel.it.observability;

import org.jspecify.annotations.NullMarked;

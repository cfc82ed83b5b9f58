/* SPDX-License-Identifier: Apache-2.0 */
/** Clusters of tiered brokers under load, while nodes and their network fail. */
@NullMarked
package io.evenkeel.it.cluster;

import org.jspecify.annotations.NullMarked;

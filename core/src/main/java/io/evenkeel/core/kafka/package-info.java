/* SPDX-License-Identifier: Apache-2.0 */

/**
 * What two or more edges need of Kafka: the keys of a patch, its settings while the broker runs, its gauges.
 *
 * <p>Belongs to the edges; pure packages do not know it.
 */
@NullMarked
package io.evenkeel.core.kafka;

import org.jspecify.annotations.NullMarked;

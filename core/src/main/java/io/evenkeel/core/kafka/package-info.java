/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Code that two or more edges share and that uses Kafka: the keys of a patch, its settings while the broker runs, its
 * gauges.
 *
 * <p>Woven broker code calls {@link io.evenkeel.core.kafka.ConfigHooks} for the config of all patches. Pure packages do
 * not use this package.
 */
@NullMarked
package io.evenkeel.core.kafka;

import org.jspecify.annotations.NullMarked;

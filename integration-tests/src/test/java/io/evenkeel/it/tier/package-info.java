/* SPDX-License-Identifier: Apache-2.0 */
/** The SSD tier on healthy disks: segment states, placement, configuration, the offline tool, and the log model. */
@NullMarked
package io.evenkeel.it.tier;

import org.jspecify.annotations.NullMarked;

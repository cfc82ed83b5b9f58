/* SPDX-License-Identifier: Apache-2.0 */

/** What the emulated disks give, and a model of an SSD as a block cache in front of an HDD. */
@NullMarked
package io.evenkeel.benchmarks.disk;

import org.jspecify.annotations.NullMarked;

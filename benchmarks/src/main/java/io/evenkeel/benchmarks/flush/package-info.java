/* SPDX-License-Identifier: Apache-2.0 */

/** How a broker's logs get to their disks: what the device is given when, and what those who append wait for. */
@NullMarked
package io.evenkeel.benchmarks.flush;

import org.jspecify.annotations.NullMarked;

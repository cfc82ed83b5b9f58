/* SPDX-License-Identifier: Apache-2.0 */

/** How a broker's logs get to their disks: when the device gets its writes, and how long appends wait. */
@NullMarked
package io.evenkeel.benchmarks.flush;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */

/** What the command line tool sees and does on the disks of a broker that runs or is stopped. */
@NullMarked
package io.evenkeel.tiered.inspect;

import org.jspecify.annotations.NullMarked;

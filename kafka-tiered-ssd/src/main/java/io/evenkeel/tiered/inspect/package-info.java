/* SPDX-License-Identifier: Apache-2.0 */

/** What the command line tool reads and changes on the disks of a running or stopped broker. */
@NullMarked
package io.evenkeel.tiered.inspect;

import org.jspecify.annotations.NullMarked;

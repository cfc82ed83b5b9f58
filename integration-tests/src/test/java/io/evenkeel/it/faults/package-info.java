/* SPDX-License-Identifier: Apache-2.0 */
/** Disks that fail, hang, fill up or go missing, killed brokers, and power cuts. */
@NullMarked
package io.evenkeel.it.faults;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */

/**
 * What a start does before any log is loaded, in three steps. Scan: {@link DiskScan}, {@link LinkScan} and
 * {@link ScannedTail} read both devices. Plan: {@link RecoveryPlan} is made from the scans without I/O, or a
 * {@link StartRefusal} ends the start. Execute: {@link PlanExecution} makes the devices agree.
 */
@NullMarked
package io.evenkeel.tiered.recovery;

import org.jspecify.annotations.NullMarked;

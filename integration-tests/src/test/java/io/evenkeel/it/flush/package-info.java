/* SPDX-License-Identifier: Apache-2.0 */
/** The paced flush: its bounds, its start and its files, also on slow disks and through power cuts. */
@NullMarked
package io.evenkeel.it.flush;

import org.jspecify.annotations.NullMarked;

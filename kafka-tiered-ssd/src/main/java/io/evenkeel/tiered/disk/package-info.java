/* SPDX-License-Identifier: Apache-2.0 */

/** Devices and their space: the SSD directories, the HDDs, the log directories on them. */
@NullMarked
package io.evenkeel.tiered.disk;

import org.jspecify.annotations.NullMarked;

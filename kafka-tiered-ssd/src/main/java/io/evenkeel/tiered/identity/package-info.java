/* SPDX-License-Identifier: Apache-2.0 */

/** Which disks belong together: identity files, and what a start concludes from them. */
@NullMarked
package io.evenkeel.tiered.identity;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */

/** What runs before any log is loaded: look at both devices, plan, make them agree or refuse the start. */
@NullMarked
package io.evenkeel.tiered.recovery;

import org.jspecify.annotations.NullMarked;

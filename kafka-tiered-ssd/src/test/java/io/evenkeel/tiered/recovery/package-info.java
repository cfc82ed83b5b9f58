/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.evenkeel.tiered.recovery;

import org.jspecify.annotations.NullMarked;

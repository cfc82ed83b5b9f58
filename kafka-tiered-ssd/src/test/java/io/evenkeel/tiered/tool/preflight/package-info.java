/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.evenkeel.tiered.tool.preflight;

import org.jspecify.annotations.NullMarked;

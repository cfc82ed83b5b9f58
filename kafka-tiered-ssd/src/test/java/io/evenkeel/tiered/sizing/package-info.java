/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.evenkeel.tiered.sizing;

import org.jspecify.annotations.NullMarked;

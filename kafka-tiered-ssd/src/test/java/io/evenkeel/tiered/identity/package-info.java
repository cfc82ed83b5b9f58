/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.evenkeel.tiered.identity;

import org.jspecify.annotations.NullMarked;

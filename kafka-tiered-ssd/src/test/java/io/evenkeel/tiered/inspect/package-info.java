/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.evenkeel.tiered.inspect;

import org.jspecify.annotations.NullMarked;

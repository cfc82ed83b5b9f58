/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.evenkeel.tiered.coldread;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.evenkeel.purgatory;

import org.jspecify.annotations.NullMarked;

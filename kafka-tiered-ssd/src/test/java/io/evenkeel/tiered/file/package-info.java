/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.evenkeel.tiered.file;

import org.jspecify.annotations.NullMarked;

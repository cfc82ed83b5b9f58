/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.evenkeel.flush;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.evenkeel.core;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.evenkeel.quickstart;

import org.jspecify.annotations.NullMarked;

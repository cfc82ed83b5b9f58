/* SPDX-License-Identifier: Apache-2.0 */
/** The quickstart as a process of its own. */
@NullMarked
package io.evenkeel.it.quickstart;

import org.jspecify.annotations.NullMarked;

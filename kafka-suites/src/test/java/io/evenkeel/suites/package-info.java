/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.evenkeel.suites;

import org.jspecify.annotations.NullMarked;

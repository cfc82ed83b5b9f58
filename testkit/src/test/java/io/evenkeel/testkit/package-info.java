/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.evenkeel.testkit;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/** Real file systems on loop devices, which tests make fail, hang or lose power. Needs Linux and root. */
@NullMarked
package io.evenkeel.testkit.disk;

import org.jspecify.annotations.NullMarked;

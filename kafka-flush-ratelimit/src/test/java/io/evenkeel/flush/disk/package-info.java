/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.evenkeel.flush.disk;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.kafkapatches.flush;

import org.jspecify.annotations.NullMarked;

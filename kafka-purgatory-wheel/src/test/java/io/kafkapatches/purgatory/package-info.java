/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.kafkapatches.purgatory;

import org.jspecify.annotations.NullMarked;

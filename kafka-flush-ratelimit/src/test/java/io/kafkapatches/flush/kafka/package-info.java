/* SPDX-License-Identifier: Apache-2.0 */

@NullMarked
package io.kafkapatches.flush.kafka;

import org.jspecify.annotations.NullMarked;

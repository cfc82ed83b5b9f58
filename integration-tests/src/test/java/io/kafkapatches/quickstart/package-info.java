/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.kafkapatches.quickstart;

import org.jspecify.annotations.NullMarked;

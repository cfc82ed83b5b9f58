/* SPDX-License-Identifier: Apache-2.0 */
@NullMarked
package io.kafkapatches.suites;

import org.jspecify.annotations.NullMarked;

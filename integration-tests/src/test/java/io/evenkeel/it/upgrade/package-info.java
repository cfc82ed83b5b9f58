/* SPDX-License-Identifier: Apache-2.0 */
/** Brokers of several versions of Kafka, one after another on the same disks. */
@NullMarked
package io.evenkeel.it.upgrade;

import org.jspecify.annotations.NullMarked;

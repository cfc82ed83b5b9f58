/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A stand-in for the shipped door, under the same name. It comes first on the class path of Kafka's own tests. The code
 * behind it is the shipped code.
 */
@NullMarked
package io.evenkeel.purgatory.kafka;

import org.jspecify.annotations.NullMarked;

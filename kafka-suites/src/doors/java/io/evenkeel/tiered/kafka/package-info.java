/* SPDX-License-Identifier: Apache-2.0 */
/**
 * A test's door in the place of the shipped one: it comes first on the class path of Kafka's own tests, so woven code
 * calls it. What is behind it is what the shipped door has behind it.
 */
@NullMarked
package io.evenkeel.tiered.kafka;

import org.jspecify.annotations.NullMarked;

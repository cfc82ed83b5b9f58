/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs Kafka's own published tests on stock and on patched classes, each in a JVM of its own, and compares test by test.
 * {@link io.kafkapatches.suites.KafkaSuites} is the command, {@link io.kafkapatches.suites.SuiteProcess} what it starts twice.
 */
@NullMarked
package io.kafkapatches.suites;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Runs Kafka's own published tests on stock and on patched classes, each in a JVM of its own, and compares test by
 * test. {@link io.evenkeel.suites.KafkaSuites} is the command, {@link io.evenkeel.suites.SuiteProcess} what it starts
 * twice.
 */
@NullMarked
package io.evenkeel.suites;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Real brokers to test, show and measure the patches on. A {@link io.evenkeel.testkit.Broker} runs on the directories
 * of a {@link io.evenkeel.testkit.BrokerConfig}; {@link io.evenkeel.testkit.Records} knows what every record must look
 * like; {@link io.evenkeel.testkit.SegmentFiles} knows what the disks hold. The agent is the path of a jar, so a test
 * runs what an operator runs.
 */
@NullMarked
package io.evenkeel.testkit;

import org.jspecify.annotations.NullMarked;

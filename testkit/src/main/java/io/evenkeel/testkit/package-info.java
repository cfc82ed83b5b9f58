/* SPDX-License-Identifier: Apache-2.0 */
/**
 * Real brokers to test, show and measure the patches on. A {@link io.evenkeel.testkit.Broker} runs on the directories
 * of a {@link io.evenkeel.testkit.BrokerConfig}; {@link io.evenkeel.testkit.Records} knows what every record must look
 * like; {@link io.evenkeel.testkit.SegmentFiles} knows what the disks hold. Only Kafka's public clients and the JDK are
 * used, and the agent is the path of a jar: what is tested here is what an operator has.
 */
@NullMarked
package io.evenkeel.testkit;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The java agent: which methods of the broker are woven, how that is checked first, and what happens when it fails.
 *
 * <p>Only this package knows Byte Buddy. There is one class loader: a broker's class path is flat and the agent's jar is
 * appended to it. Everything here fails closed: a broker that cannot be patched exactly does not open a log.
 *
 * <p><b>Threads and locks.</b> {@link io.kafkapatches.agent.Agent} runs on the main thread before the broker does, and
 * nothing of it remains afterwards.
 */
@NullMarked
package io.kafkapatches.agent;

import org.jspecify.annotations.NullMarked;

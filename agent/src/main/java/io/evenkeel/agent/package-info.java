/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The Java agent: which methods of the broker are woven, how that is checked first, and what happens when it fails.
 *
 * <p>Only this package knows Byte Buddy. There is one class loader: a broker's class path is flat and the agent's jar
 * is appended to it. Everything here fails closed: a broker that cannot be patched exactly does not open a log.
 *
 * <p><b>Threads and locks.</b> {@link io.evenkeel.agent.Agent} begins on the main thread and continues on a thread of
 * its own, beside the broker. {@link io.evenkeel.agent.Gate} makes each thread that loads a class to be changed wait
 * until that thread has checked the patches. It takes no lock that other code takes. After the weaving, the agent is no
 * longer involved when classes load.
 */
@NullMarked
package io.evenkeel.agent;

import org.jspecify.annotations.NullMarked;

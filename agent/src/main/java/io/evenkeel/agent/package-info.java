/* SPDX-License-Identifier: Apache-2.0 */
/**
 * The java agent: which methods of the broker are woven, how that is checked first, and what happens when it fails.
 *
 * <p>Only this package knows Byte Buddy. There is one class loader: a broker's class path is flat and the agent's jar
 * is appended to it. Everything here fails closed: a broker that cannot be patched exactly does not open a log.
 *
 * <p><b>Threads and locks.</b> {@link io.evenkeel.agent.Agent} begins on the main thread and goes on on one of its own,
 * beside the broker; {@link io.evenkeel.agent.Gate} holds whoever loads a class that is to be changed until that thread
 * has checked the patches. It takes no lock that others take. When it has woven, nothing of it is asked any more.
 */
@NullMarked
package io.evenkeel.agent;

import org.jspecify.annotations.NullMarked;

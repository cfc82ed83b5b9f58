/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The request purgatory: a timing wheel, and the lists of requests that wait under keys for an event.
 *
 * <p>This package is pure: it knows no Kafka, no clock, no thread of its own and no log.
 *
 * <h2>Threads and locks</h2>
 *
 * <table>
 * <caption>Callers</caption>
 * <tr><th>thread</th><th>does</th></tr>
 * <tr><td>Kafka's request handlers and others</td><td>add timeouts to a {@link io.evenkeel.purgatory.WheelTimer} and
 *     cancel them</td></tr>
 * <tr><td>Kafka's request handlers and others</td><td>watch a request under its keys in
 *     {@link io.evenkeel.purgatory.WatchLists}, check the requests under a key, and complete them</td></tr>
 * <tr><td>the reaper of a timer</td><td>advances it and runs what is due</td></tr>
 * </table>
 *
 * <table>
 * <caption>Locks</caption>
 * <tr><th>lock</th><th>protects</th></tr>
 * <tr><td>the spin lock of a {@code Stripe}</td><td>its {@code TimingWheel}, and the links, the tick and the position
 *     of each linked {@link io.evenkeel.purgatory.Timeout}. Innermost: no other code is called under it and no other
 *     lock is taken, so it may be taken under any lock</td></tr>
 * <tr><td>a request itself, while a thread holds it</td><td>its completion, and where it is watched. Outermost: it is
 *     held while the request is tried and is being watched</td></tr>
 * <tr><td>the monitor of a {@code WatchList}</td><td>its chain of slot groups. Innermost, and not needed while a slot
 *     group has an empty slot</td></tr>
 * </table>
 *
 * <pre>
 *                    add                     advance
 *   nowhere -------------------&gt; pending ---------------&gt; expired, and about to be handed out
 *      ^                         |      ^                    |
 *      |                         |      +----- add again ----+
 *      |                  cancel |      | add again
 *      |                         v      |
 *      +-------- unlink ------- lingering
 * </pre>
 *
 * A lingering timeout is cancelled, but still linked. A stripe unlinks several of them at a time, before it advances at
 * the latest.
 *
 * <p>No lock is held while due timeouts are handed out or {@code wake} is called.
 */
@NullMarked
package io.evenkeel.purgatory;

import org.jspecify.annotations.NullMarked;

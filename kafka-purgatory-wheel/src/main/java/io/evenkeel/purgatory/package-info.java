/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The request purgatory: a timing wheel, and what waits under keys for something to happen.
 *
 * <p>This package is pure: it knows neither Kafka nor a clock, a thread of its own or a log.
 *
 * <h2>Threads and locks</h2>
 *
 * <table>
 * <caption>Who calls what</caption>
 * <tr><th>thread</th><th>does</th></tr>
 * <tr><td>Kafka's request handlers and others</td><td>add to and cancel in a
 *     {@link io.evenkeel.purgatory.WheelTimer}</td></tr>
 * <tr><td>Kafka's request handlers and others</td><td>watch a request under its keys in
 *     {@link io.evenkeel.purgatory.WatchLists}, check those under a key, and complete them</td></tr>
 * <tr><td>the reaper of a timer</td><td>advances it and runs what is due</td></tr>
 * </table>
 *
 * <table>
 * <caption>Locks</caption>
 * <tr><th>lock</th><th>protects</th></tr>
 * <tr><td>a lane's {@code SpinLock}</td><td>its {@code TimingWheel}, and the links, the time and the place of each
 *     {@link io.evenkeel.purgatory.Timeout} that waits there. Innermost: nothing is called under it and no other
 *     lock is taken, so it may be taken under any lock</td></tr>
 * <tr><td>a request itself, while a thread holds it</td><td>its completion, and where it is watched. Outermost: it is
 *     held while the request is tried and is being watched</td></tr>
 * <tr><td>the monitor of a {@code WatchList}</td><td>its chain of rows. Innermost, and not met while a row has
 *     room</td></tr>
 * </table>
 *
 * <pre>
 *                    add                     advance
 *   nowhere -------------------&gt; pending ---------------&gt; expired, and about to be handed out
 *      ^                         |   |  ^                    |
 *      +-------- cancel ---------+   +--+---- add again -----+
 * </pre>
 *
 * What is due is handed out without any lock, and so is {@code wake} called.
 */
@NullMarked
package io.evenkeel.purgatory;

import org.jspecify.annotations.NullMarked;

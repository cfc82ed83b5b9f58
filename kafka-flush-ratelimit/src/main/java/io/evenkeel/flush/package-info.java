/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Flushing by rate: which log of a device to flush to disk next, and when to look again.
 *
 * <p>This package is pure: it knows bytes, rates and instants, but neither Kafka nor a clock, a thread or a log.
 *
 * <h2>Threads and locks</h2>
 *
 * <table>
 * <caption>Who calls what</caption>
 * <tr><th>thread</th><th>does</th></tr>
 * <tr><td>Kafka's request handlers and fetchers</td><td>reserve, append, release, truncate</td></tr>
 * <tr><td>whoever has flushed a log: the worker, or Kafka itself</td><td>tells how far it is flushed</td></tr>
 * <tr><td>one worker a log directory</td><td>owns a {@link io.evenkeel.flush.Pacer}, looks at the logs, flushes them</td></tr>
 * </table>
 *
 * The one lock is a {@link io.evenkeel.flush.UnflushedLog}'s own monitor, which protects what it knows. Nothing is called
 * under it, and no disk is touched.
 */
@NullMarked
package io.evenkeel.flush;

import org.jspecify.annotations.NullMarked;

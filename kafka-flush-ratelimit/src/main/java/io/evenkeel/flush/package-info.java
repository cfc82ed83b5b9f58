/* SPDX-License-Identifier: Apache-2.0 */

/**
 * Flushing by rate: decides which logs of a device to flush next, and when to decide again.
 *
 * <p>This package is pure: it knows bytes, rates and instants, but no Kafka, clock, thread or log. The packages beside
 * it use it: {@code flush.disk} has the threads and system calls, and {@code flush.kafka} is the edge to Kafka.
 *
 * <h2>Threads and locks</h2>
 *
 * <table>
 * <caption>Callers</caption>
 * <tr><th>thread</th><th>does</th></tr>
 * <tr><td>Kafka's request handlers and fetchers</td><td>append, truncate, ask for room</td></tr>
 * <tr><td>the thread that has flushed a log: a worker, or Kafka's own</td><td>reports the flushed offset</td></tr>
 * <tr><td>one worker for each disk that holds newest segments of a log directory</td><td>owns a
 *     {@link io.evenkeel.flush.Pacer}, asks it which logs to flush, and flushes them</td></tr>
 * </table>
 *
 * <p>Only {@link io.evenkeel.flush.UnflushedLog} is shared between threads. It has a monitor of its own, which protects
 * its own fields only. No other code is called under it, and no disk is touched.
 */
@NullMarked
package io.evenkeel.flush;

import org.jspecify.annotations.NullMarked;

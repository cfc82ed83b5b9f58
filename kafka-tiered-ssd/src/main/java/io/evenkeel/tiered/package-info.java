/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The SSD cache tier: the newest log segments of a broker on an SSD, all others on its HDDs.
 *
 * <p>This package is pure: it knows files and segments, but neither Kafka nor a clock, a thread or a log.
 *
 * <h2>Threads and locks</h2>
 *
 * <table>
 * <caption>Who calls what</caption>
 * <tr><th>thread</th><th>does</th></tr>
 * <tr><td>Kafka's request handlers, schedulers, fetchers</td><td>open, write, truncate, force, rename, delete</td></tr>
 * <tr><td>Kafka's network threads</td><td>{@code transferTo} and positional reads, without any lock</td></tr>
 * <tr><td>one copier an HDD</td><td>owns a {@link io.evenkeel.tiered.SegmentCopier} and its copy</td></tr>
 * <tr><td>one evictor an SSD directory</td><td>owns an {@link io.evenkeel.tiered.Evictor}</td></tr>
 * </table>
 *
 * <table>
 * <caption>Locks, in the order in which they are taken</caption>
 * <tr><th>lock</th><th>protects</th></tr>
 * <tr><td>{@link io.evenkeel.tiered.PartitionSegments}</td><td>which segments are sealed</td></tr>
 * <tr><td>a segment's lock, which is its channel's change lock</td><td>its bytes, state, path and booking</td></tr>
 * </table>
 *
 * The listener is called without any of these locks.
 */
@NullMarked
package io.evenkeel.tiered;

import org.jspecify.annotations.NullMarked;

/* SPDX-License-Identifier: Apache-2.0 */

/**
 * The SSD cache tier: the newest log segments of a broker on an SSD, all others on its HDDs.
 *
 * <p>This package is pure: it knows files and segments, but neither Kafka nor a clock, a thread or a log.
 * {@link io.evenkeel.tiered.TieredSsd} wires its parts together; the rooms beside it hold the words ({@code api}), the
 * single files ({@code file}), the devices ({@code disk}), the identity of the disks ({@code identity}), the start
 * ({@code recovery}) and the command line tool's view ({@code inspect}).
 *
 * <h2>Three questions</h2>
 *
 * <dl>
 *   <dt>Who decides that a segment goes to the HDD?
 *   <dd>For a new segment: {@code SegmentOpening.create}, which asks {@code Placement.hddReason} whether it belongs on
 *       an SSD and {@code LogDir.reserve} whether an SSD has room. For a segment on an SSD: the copier copies each one
 *       that is sealed ({@code SegmentCopier.step}), and {@code Evictor.choose} picks the copied ones that leave the
 *       SSD. {@code Failover} moves a segment at once when its SSD is full or fails.
 *   <dt>What happens at a power cut during a copy?
 *   <dd>The link still leads to the SSD file, so no record is lost. The next start deletes the unfinished
 *       {@code .log.tiering} file ({@code recovery.Leftovers}), and the copier begins again. The order of the steps is
 *       in {@link io.evenkeel.tiered.file.FileCopy}; {@code CopyTicket.publish} replaces the link.
 *   <dt>Which files do we write?
 *   <dd>Those below, and no others.
 * </dl>
 *
 * <h2>Files</h2>
 *
 * Files without a comment are Kafka's own.
 *
 * <pre>
 * log directory, on an HDD
 * ├── meta.properties
 * ├── .lock                                    held by the broker; also by our start-up scan and offline drain
 * ├── tiered-ssd.properties                    identity file: the SSDs that this log directory knows
 * ├── tiered-ssd.properties.tiering            the next identity file, until it is renamed
 * └── topic-0/
 *     ├── 00000000000000000000.log             WITHOUT_CACHE or CACHED: the real file
 *     ├── 00000000000000000100.log             ONLY_CACHE: a symbolic link to the SSD file
 *     ├── 00000000000000000100.log.tiering     a copy until it is published; also an empty segment of a truncated tail
 *     ├── 00000000000000000100.log.tiering-link  a new link, until it is renamed
 *     ├── 00000000000000000100.index ...
 *     └── tiered-incomplete                    the replica has lost its tail with an SSD and must follow a leader first
 *
 * SSD directory
 * ├── tiered-ssd.properties                    identity file: the broker that this SSD belongs to, and the last
 * │                                            start that it and each log directory took part in
 * ├── tiered-ssd.properties.tiering            the next identity file, until it is renamed
 * └── (directory id of the log directory)/
 *     └── topic-0/
 *         ├── 00000000000000000100.log         the SSD file of an ONLY_CACHE or CACHED segment
 *         └── 00000000000000000100.log.2       the same, while an older SSD file of that name waits to be deleted
 * </pre>
 *
 * <h2>States</h2>
 *
 * The state is never stored: the files above are the state. Each arrow names the method that performs it.
 *
 * <pre>
 *       SegmentFiles.newOnSsd                                             SegmentFiles.newOnHdd
 *                 │                                                                 │
 *                 ▼    CopyTicket.publish               Segment.evict               ▼
 *            ONLY_CACHE ─────────────────▶ CACHED ────────────────────▶ WITHOUT_CACHE
 *              │   ▲                         │   Failover.leaveSsd (device fails)   ▲
 *              │   └─────────────────────────┘                                      │
 *              │     Segment.beforeChange                                           │
 *              │     (Kafka appends or truncates)                                   │
 *              └────────────────────────────────────────────────────────────────────┘
 *                Failover.writeFailed (SSD full: Spill.toHdd, MoveToHdd.move)
 *
 * Segment.deleted ends every state. After a restart SegmentFiles.existing and realFile find the state again.
 * </pre>
 *
 * <h2>Threads and locks</h2>
 *
 * <table>
 * <caption>The threads and their work</caption>
 * <tr><th>thread</th><th>work</th></tr>
 * <tr><td>Kafka's request handlers, schedulers, fetchers</td><td>open, append, truncate, flush, rename,
 * delete</td></tr>
 * <tr><td>Kafka's network threads</td><td>{@code transferTo} and positional reads, without any lock</td></tr>
 * <tr><td>one copier per HDD</td><td>runs {@link io.evenkeel.tiered.SegmentCopier} and owns its running copy</td></tr>
 * <tr><td>one evictor per SSD directory</td><td>runs {@link io.evenkeel.tiered.Evictor}</td></tr>
 * <tr><td>one drain worker</td><td>runs {@link io.evenkeel.tiered.Drain}; idle unless the mode is DRAIN</td></tr>
 * <tr><td>start-up scan threads</td><td>read both devices before any log is loaded; they end before the broker
 * serves</td></tr>
 * </table>
 *
 * <table>
 * <caption>Locks, in the order in which they are taken</caption>
 * <tr><th>lock</th><th>protects</th></tr>
 * <tr><td>{@link io.evenkeel.tiered.PartitionSegments}</td><td>which segments are sealed</td></tr>
 * <tr><td>a segment's lock, which is its channel's change lock</td><td>its bytes, state, path and reservation</td></tr>
 * </table>
 *
 * The listener is called without any of these locks, except by {@code Failover}, which holds the segment's lock while
 * it answers a failed append or moves the segment.
 */
@NullMarked
package io.evenkeel.tiered;

import org.jspecify.annotations.NullMarked;

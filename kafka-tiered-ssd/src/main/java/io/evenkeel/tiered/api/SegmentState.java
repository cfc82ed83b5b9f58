/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/**
 * Where the bytes of a segment are. The state is never stored: the files on the two devices are the state.
 *
 * <pre>
 *              copier                  evictor
 * ONLY_CACHE ─────────▶ CACHED ─────────────────▶ WITHOUT_CACHE
 *      ▲                  │
 *      └──────────────────┘
 *      Kafka changes the bytes
 * </pre>
 */
public enum SegmentState {
    /** On the SSD only; the HDD path is a symbolic link to the SSD file. */
    ONLY_CACHE,
    /** Complete and fsynced on both devices; the HDD path is the real file. */
    CACHED,
    /** On the HDD only. */
    WITHOUT_CACHE
}

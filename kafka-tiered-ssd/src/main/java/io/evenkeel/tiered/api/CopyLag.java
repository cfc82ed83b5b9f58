/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/**
 * The segments that wait to be copied to the HDDs. All zero when none waits. Immutable.
 *
 * @param ms the longest wait of a segment, since it was sealed, or found sealed at the start
 */
public record CopyLag(long segments, long bytes, long ms) {}

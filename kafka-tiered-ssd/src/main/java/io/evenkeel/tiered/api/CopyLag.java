/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/**
 * How far the HDDs are behind: what is to be copied and is not yet. All zero when there is nothing. Immutable.
 *
 * @param ms how long the one that waits longest has waited: since it was sealed, or found sealed at the start
 */
public record CopyLag(long segments, long bytes, long ms) {}

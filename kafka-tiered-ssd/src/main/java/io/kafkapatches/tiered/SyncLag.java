/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

/**
 * How far the HDDs are behind: what is to be copied and is not yet. All zero when there is nothing. Immutable.
 *
 * @param ms how long the one that waits longest has waited: since it was sealed, or found sealed at the start
 */
public record SyncLag(long segments, long bytes, long ms) {}

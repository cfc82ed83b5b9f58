/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.api;

/**
 * What a tier in the shadow would have, and would have done since the start. All is 0 without the shadow. Immutable.
 *
 * @param capacityBytes of all SSDs
 * @param heldBytes that would be on the SSDs
 * @param ssd what would have been read from the SSDs
 * @param hdd what would have been read from the HDDs
 * @param savedWaits waits for an HDD that the SSDs would have saved
 * @param refusedSegments new segments that would have found no room
 */
public record ShadowStats(
        long capacityBytes,
        long heldBytes,
        DeviceStats ssd,
        DeviceStats hdd,
        ReadWaits savedWaits,
        long evictedSegments,
        long evictedBytes,
        long refusedSegments) {}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.sizing;

/**
 * The memory and the disks of one broker. Immutable.
 *
 * @param ssdBytes {@code tiered.ssd.capacity.bytes}, of each SSD
 * @param ssdBytesPerSecond of each SSD, reads and writes together
 * @param hddBytesPerSecond of each HDD, under the mixed load of copies and cold reads
 */
public record Machine(
        long pageCacheBytes, int ssds, long ssdBytes, long ssdBytesPerSecond, int hdds, long hddBytesPerSecond) {
    public Machine {
        require(pageCacheBytes >= 0, "the page cache must not be negative", pageCacheBytes);
        require(ssds > 0, "the number of SSDs must be positive", ssds);
        require(ssdBytes > 0, "the capacity of an SSD must be positive", ssdBytes);
        require(ssdBytesPerSecond > 0, "the speed of an SSD must be positive", ssdBytesPerSecond);
        require(hdds > 0, "the number of HDDs must be positive", hdds);
        require(hddBytesPerSecond > 0, "the speed of an HDD must be positive", hddBytesPerSecond);
    }

    static void require(boolean holds, String rule, Object value) {
        if (!holds) {
            throw new IllegalArgumentException(rule + ", but it is " + value);
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.sizing;

/** The disks of a broker under a policy. Positions are bytes since a partition's beginning. */
interface Store {
    void append(int partition, long from, long to, long nowSeconds);

    /** Reads from an SSD or an HDD, and counts that. */
    void read(int partition, long from, long to);

    /** True when this byte is on an SSD. */
    boolean isOnSsd(int partition, long position);

    /** What happens in the background in this second. */
    void work(long nowSeconds);
}

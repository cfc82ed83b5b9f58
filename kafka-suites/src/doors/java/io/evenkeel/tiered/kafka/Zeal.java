/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

/** How eager a tier is: together they show Kafka segments in each of their states, for long. */
enum Zeal {
    /** What is sealed is copied and evicted at once. */
    EVICTS,
    /** What is sealed is copied at once, and evicted a little later. */
    EVICTS_LATER,
    /** What is sealed is copied at once, and stays on both disks. */
    COPIES,
    /** What is sealed stays on the SSD. */
    WAITS
}

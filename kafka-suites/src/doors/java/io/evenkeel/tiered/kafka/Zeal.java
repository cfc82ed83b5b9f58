/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

/** How early a tier copies and evicts. Together, the values let Kafka's tests see segments in each state for long. */
enum Zeal {
    /** Copies and evicts sealed segments at once. */
    EVICTS,
    /** Copies sealed segments at once, and evicts them a little later. */
    EVICTS_LATER,
    /** Copies sealed segments at once, and keeps them on both disks. */
    COPIES,
    /** Keeps sealed segments on the SSD. */
    WAITS
}

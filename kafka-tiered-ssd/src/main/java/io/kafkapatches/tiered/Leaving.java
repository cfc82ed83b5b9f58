/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

/**
 * A segment's file on its way off the SSD: to be closed when it is drained, then unlinked; then its space is free. Immutable.
 */
record Leaving(Segment segment, Home home, SsdFile ssdFile, long bookedBytes) {}

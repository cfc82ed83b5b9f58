/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * What was found, or made, when Kafka opened a segment. Immutable.
 *
 * @param path the name that Kafka knows, on the HDD
 * @param ssdFile null for {@link SegmentState#WITHOUT_CACHE}
 * @param lastModifiedMs when the last record was appended, or {@link Long#MAX_VALUE} for a new segment
 * @param hddReason why a new segment is on the HDD, or null
 */
record OpenedFile(
        Path path,
        SegmentState state,
        @Nullable SsdFile ssdFile,
        Home home,
        long sizeBytes,
        long lastModifiedMs,
        Booking booking,
        @Nullable HddReason hddReason) {}

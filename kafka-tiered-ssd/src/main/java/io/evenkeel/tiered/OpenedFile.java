/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.disk.SpaceReservation;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.BackingFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file that was found, or created, when Kafka opened a segment. Immutable.
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
        BackingFile backingFile,
        long sizeBytes,
        long lastModifiedMs,
        SpaceReservation reservation,
        @Nullable HddReason hddReason) {}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.disk.SpaceReservation;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * What fits on the SSDs, for the operator who has chosen their capacity. Immutable.
 *
 * @param partitions that are in the log directories at the start
 */
public record SsdRoom(long capacityBytes, long segmentBytes, long partitions) {
    private static final long DEFAULT_SEGMENT_BYTES = 1L << 30;
    private static final int MIB_BITS = 20;

    public static SsdRoom of(TierSettings settings, List<LogDirMeta> logDirs, Map<String, ?> values)
            throws IOException {
        Object segmentBytes = values.get("log.segment.bytes");
        long partitions = 0;
        for (LogDirMeta logDir : logDirs) {
            partitions += FileReads.children(logDir.path()).stream()
                    .filter(SegmentFileName::isTiered)
                    .count();
        }
        return new SsdRoom(
                settings.capacityBytes() * settings.ssdDirs().size(),
                segmentBytes == null ? DEFAULT_SEGMENT_BYTES : Long.parseLong(segmentBytes.toString()),
                partitions);
    }

    /** True when the active segments alone do not fit. */
    public boolean isTooSmall() {
        return quietBytes() >= capacityBytes;
    }

    private long quietBytes() {
        return partitions * SpaceReservation.firstStepBytes(segmentBytes);
    }

    public String text() {
        long busyBytes = partitions * SpaceReservation.roomBytes(segmentBytes);
        String warning = isTooSmall()
                ? " That is more than there is: most new segments will go to the HDDs. Give the tier more capacity, or"
                        + " exclude topics."
                : "";
        return String.format(
                "The SSDs hold %d MiB: %d segments of %d MiB (log.segment.bytes). For the active segments of the %d"
                        + " partitions here, %d MiB are reserved while they are quiet, and up to %d MiB when all are"
                        + " busy.%s",
                capacityBytes >> MIB_BITS,
                capacityBytes / segmentBytes,
                segmentBytes >> MIB_BITS,
                partitions,
                quietBytes() >> MIB_BITS,
                busyBytes >> MIB_BITS,
                warning);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.HddReason;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.coldread.ColdReaders;
import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.Placement;
import io.evenkeel.tiered.disk.ShadowFile;
import io.evenkeel.tiered.disk.ShadowSsds;
import io.evenkeel.tiered.disk.SpaceReservation;
import io.evenkeel.tiered.disk.SsdCopy;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Decides where each segment is that Kafka opens: on the device that has it already, or, when it is new, on the SSD or
 * the HDD by {@link Placement} and the room there is. Thread safe.
 */
final class SegmentOpening {
    private final FileOps files;
    private final SegmentFiles segmentFiles;
    private final SegmentMap segments;
    private final Placement placement;
    private final ConcurrentHashMap<Path, SsdCopy> recoveredCopies;
    private final TierCounts counts;
    private final ColdReaders coldReaders;
    private final ShadowSsds shadow;
    private final TierListener listener;

    /** @param recoveredCopies the copies that the start has found, by the segment's path; each is taken out once */
    SegmentOpening(
            FileOps files,
            SegmentFiles segmentFiles,
            SegmentMap segments,
            Placement placement,
            ConcurrentHashMap<Path, SsdCopy> recoveredCopies,
            TierCounts counts,
            ColdReaders coldReaders,
            ShadowSsds shadow,
            TierListener listener) {
        this.files = files;
        this.segmentFiles = segmentFiles;
        this.segments = segments;
        this.placement = placement;
        this.recoveredCopies = recoveredCopies;
        this.counts = counts;
        this.coldReaders = coldReaders;
        this.shadow = shadow;
        this.listener = listener;
    }

    /**
     * Opens the file of a segment, or creates it.
     *
     * @return null when the file is a link that does not lead to one of our SSDs
     */
    @Nullable
    Segment open(LogDir logDir, Path file, SegmentFileName name, OpenRequest request) throws IOException {
        OpenedFile opened = openFile(logDir, file, name, request);
        if (opened == null) {
            return null;
        }
        ShadowFile inShadow = name.isLive()
                ? shadow.open(logDir, SegmentFileName.dirOf(file), request, opened.hddReason() != null)
                : null;
        return new Segment(files, logDir, name, opened, request, listener, coldReaders, inShadow);
    }

    private @Nullable OpenedFile openFile(LogDir logDir, Path file, SegmentFileName name, OpenRequest request)
            throws IOException {
        SsdCopy copy = takeCopy(file, name);
        OpenedFile onHddAlone = copy == null ? segmentFiles.realFile(file) : null;
        if (onHddAlone != null) {
            return onHddAlone;
        }
        BasicFileAttributes found = FileReads.attributes(file);
        if (found != null) {
            return segmentFiles.existing(file, found, copy);
        }
        if (copy != null) {
            segmentFiles.drop(copy.ssdFile(), file);
        }
        return create(logDir, file, name, request);
    }

    /** The SSD file of a live segment that was found at the start, or that was open under this path before. */
    private @Nullable SsdCopy takeCopy(Path file, SegmentFileName name) {
        if (!name.isLive()) {
            return null;
        }
        Segment previous = segments.find(SegmentFileName.dirOf(file), name.baseOffset());
        if (previous != null && previous.life().isClosed()) {
            SsdFile onSsd = previous.handOver();
            return onSsd == null ? null : new SsdCopy(onSsd, null);
        }
        return recoveredCopies.remove(file);
    }

    private OpenedFile create(LogDir logDir, Path file, SegmentFileName name, OpenRequest request) throws IOException {
        Path partition = SegmentFileName.dirOf(file);
        HddReason reason = logDir.ssdDirs().isEmpty()
                ? HddReason.NO_SSD
                : name.isLive() ? placement.hddReason(partition, request.followerPlacement()) : HddReason.NOT_LIVE;
        String detail = "";
        if (reason == null) {
            long bytes = Math.max(request.preallocateBytes(), SpaceReservation.firstStepBytes(request.segmentBytes()));
            SsdDir ssd = logDir.reserve(bytes, SpaceReservation.roomBytes(request.segmentBytes()));
            if (ssd != null) {
                try {
                    Path ssdPartition = logDir.onSsd(ssd, partition);
                    return segmentFiles.newOnSsd(file, ssd, ssdPartition, bytes, request.preallocateBytes());
                } catch (IOException e) {
                    ssd.addReserved(-bytes, -bytes);
                    detail = " (" + e + ")";
                }
            }
            reason = ssd == null && !logDir.hasNoSsdLeft() ? HddReason.NO_ROOM : HddReason.SSD_FAILED;
            listener.placedOnHdd(file, reason + detail);
        }
        counts.placedOnHdd(reason);
        return segmentFiles.newOnHdd(file, request.preallocateBytes(), reason);
    }
}

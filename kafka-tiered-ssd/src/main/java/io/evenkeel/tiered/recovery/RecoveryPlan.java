/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.disk.LogDir;
import io.evenkeel.tiered.disk.SsdCopy;
import io.evenkeel.tiered.disk.SsdDir;
import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.SegmentFileName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a start does to the disks, in this order: truncate the tails that are missing, then remove leftovers. Made by
 * pure code from what was scanned; {@link PlanExecution} does it.
 *
 * @param incompleteReplicas the directories of replicas that have lost records, in this start or an earlier one
 * @param copies complete copies on an SSD, which stay; by the path of the HDD file they are a copy of
 */
record RecoveryPlan(
        List<TailTruncation> truncations,
        Leftovers leftovers,
        List<Path> incompleteReplicas,
        ConcurrentHashMap<Path, SsdCopy> copies) {

    /** Makes one plan. The scans are walked once and not copied: there may be very many segments. */
    static final class Draft {
        private final DiskScan scan;
        private final LinkScan links;
        private final Map<Path, TailTruncation> truncations = new HashMap<>();
        private final RecoveryPlan plan;

        /** @param tails the tails that the links lack, in the order in which they are truncated */
        Draft(DiskScan scan, LinkScan links, List<ScannedTail> tails) {
            this.scan = scan;
            this.links = links;
            this.plan = new RecoveryPlan(
                    tails.stream().map(TailTruncation::of).toList(),
                    new Leftovers(),
                    new ArrayList<>(),
                    new ConcurrentHashMap<>());
            plan.truncations().forEach(tail -> truncations.put(tail.partition(), tail));
            links.linkByTarget().values().removeIf(this::isTruncated);
        }

        /**
         * Plans what becomes of the files in the log directories.
         *
         * @param followed the partitions marked as incomplete whose replica has followed a leader since
         */
        Draft logDirs(List<LogDir> logDirs, Set<Path> followed) {
            plan.truncations().forEach(tail -> plan.incompleteReplicas().add(tail.partition()));
            List<Path> obsoleteMarkers = new ArrayList<>();
            for (LogDir logDir : logDirs) {
                for (ScannedPartition partition : scan.partitions(logDir)) {
                    plan.leftovers().hddFiles().addAll(partition.leftovers());
                    plan.leftovers().hddFiles().addAll(links.unneeded(partition.dir()));
                    Path marker = partition.incompleteMarker();
                    if (marker == null || truncations.containsKey(partition.dir())) {
                        continue;
                    }
                    if (followed.contains(partition.dir())) {
                        obsoleteMarkers.add(marker);
                    } else {
                        plan.incompleteReplicas().add(partition.dir());
                    }
                }
            }
            plan.leftovers().hddFiles().addAll(obsoleteMarkers);
            return this;
        }

        /**
         * Plans what becomes of an SSD's files of one log directory.
         *
         * @param stale true when the SSD has missed a start, so that nothing on it can be trusted
         */
        void ssd(SsdDir ssd, LogDir logDir, boolean stale) {
            for (ScannedSsdPartition partition : scan.copies(ssd, logDir)) {
                boolean isEmptied = partition.isAll();
                for (ScannedSsdPartition.Copy copy : partition.copies()) {
                    if (isNeeded(ssd, copy, stale)) {
                        isEmptied = false;
                    } else {
                        plan.leftovers().addSsdFile(partition.partition(), copy.ssdFile());
                    }
                }
                if (isEmptied) {
                    plan.leftovers().emptyDirs().add(partition.ssdPartition());
                }
            }
        }

        private boolean isNeeded(SsdDir ssd, ScannedSsdPartition.Copy copy, boolean stale) {
            if (links.linkByTarget().containsKey(copy.ssdFile())) {
                return true;
            }
            Path hddFile = copy.hddFile();
            if (copy.version() == null
                    || stale
                    || isTruncated(hddFile)
                    || plan.copies().containsKey(hddFile)) {
                return false;
            }
            plan.copies().put(hddFile, new SsdCopy(new SsdFile(ssd, copy.ssdFile()), copy.version()));
            return true;
        }

        private boolean isTruncated(Path segment) {
            if (truncations.isEmpty()) {
                return false;
            }
            TailTruncation tail = truncations.get(SegmentFileName.dirOf(segment));
            return tail != null && tail.covers(SegmentFileName.leadingOffset(segment));
        }

        RecoveryPlan plan() {
            return plan;
        }
    }

    /** One action a line, in the order in which they are done; the copies that stay are only counted. */
    @Override
    public String toString() {
        List<String> lines = new ArrayList<>();
        for (TailTruncation tail : truncations) {
            lines.add("truncate " + tail.partition() + " to " + tail.tail().fromOffset());
            tail.newerFiles().forEach(file -> lines.add("  remove " + file));
            if (tail.losesRecords()) {
                lines.add("  mark as incomplete from " + tail.newEndOffset());
            }
            lines.add("  make empty " + tail.firstSegment());
        }
        leftovers.hddFiles().forEach(file -> lines.add("remove " + file));
        leftovers.ssdFiles().forEach((partition, files) -> {
            lines.add("make names durable in " + partition);
            files.forEach(file -> lines.add("  remove " + file));
        });
        leftovers.emptyDirs().forEach(dir -> lines.add("remove if empty " + dir));
        incompleteReplicas.forEach(partition -> lines.add("incomplete replica " + partition));
        lines.add("keep " + copies.size() + (copies.size() == 1 ? " copy" : " copies"));
        return String.join("\n", lines);
    }
}

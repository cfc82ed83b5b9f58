/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The replicas of this broker that have lost records, and have not followed a leader since. Thread safe.
 *
 * <p>The controller may not know of the loss: the last replica in the ISR stays there, and when all replicas went down
 * together, the last leader is elected again. If a replica that has lost records became the leader, the other replicas
 * would truncate the records that only they still have. So a marker file in the partition's directory says that the
 * replica must follow first; it survives restarts.
 */
public final class IncompleteReplicas {
    static final String MARKER = "tiered-incomplete";

    /** The partition's directories, by their names. */
    private final Map<String, Path> partitions = new ConcurrentHashMap<>();

    /** Adds a partition's directory; it has the marker file, unless no record is lost. */
    void add(Path partition) {
        partitions.put(SegmentFileName.nameOf(partition), partition);
    }

    /** Writes the marker file of a log that will end at an offset; the caller still has to sync the directory. */
    static void writeMarker(FileOps files, Path partition, long endOffset) throws IOException {
        try (FileChannel channel = files.open(partition.resolve(MARKER), CREATE, TRUNCATE_EXISTING, WRITE)) {
            channel.write(ByteBuffer.wrap(Long.toString(endOffset).getBytes(StandardCharsets.US_ASCII)));
            files.force(channel);
        }
    }

    /**
     * The marker file of a replica that must not lead. Null when it may lead: it is complete, has followed a leader
     * since, or is the only replica.
     *
     * @param replicas the number of replicas of the partition
     * @param inSync the number of replicas in the ISR, this one included
     */
    @Nullable
    public Path mustNotLead(FileOps files, String partition, int replicas, int inSync) throws IOException {
        Path dir = partitions.get(partition);
        if (dir == null) {
            return null;
        }
        Path marker = dir.resolve(MARKER);
        // With others in the ISR, a leader has taken it back into the ISR.
        if (replicas > 1 && inSync <= 1 && Files.exists(marker) && !hasFollowed(dir, marker)) {
            return marker;
        }
        files.deleteIfExists(marker);
        partitions.remove(partition);
        return null;
    }

    /**
     * True when the log has changed since the marker file was written: only records from a leader, or a truncation by a
     * leader, can have changed it.
     */
    static boolean hasFollowed(Path dir, Path marker) throws IOException {
        long endOffset;
        try {
            endOffset = Long.parseLong(Files.readString(marker).trim());
        } catch (NumberFormatException e) { // the marker file was cut off in the middle
            return false;
        }
        boolean endsThere = false;
        for (Path file : FileReads.children(dir)) {
            SegmentFileName name = SegmentFileName.parse(file);
            if (name != null && name.isLive() && name.baseOffset() >= endOffset) {
                if (name.baseOffset() > endOffset || Files.size(file) > 0) {
                    return true;
                }
                endsThere = true;
            }
        }
        return !endsThere;
    }
}

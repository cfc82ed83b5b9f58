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
 * The replicas here that gave up records, and have followed no leader since. Thread safe.
 *
 * <p>The controller need not know: the last replica in the ISR stays there whatever happens to it, and when all went
 * down together, the last leader is elected again. If a replica leads that has lost records, the others throw away what
 * only they still have. So a mark in the partition's directory says that it must follow first; it outlives restarts.
 */
public final class IncompleteReplicas {
    static final String MARK = "tiered-incomplete";

    /** The partition's directories, by their names. */
    private final Map<String, Path> partitions = new ConcurrentHashMap<>();

    /** A partition that has the mark. */
    void add(Path partition) {
        partitions.put(SegmentFileName.nameOf(partition), partition);
    }

    /** Puts the mark into a partition whose log will end at an offset; the directory is still to be forced. */
    static void mark(FileOps files, Path partition, long endOffset) throws IOException {
        try (FileChannel channel = files.open(partition.resolve(MARK), CREATE, TRUNCATE_EXISTING, WRITE)) {
            channel.write(ByteBuffer.wrap(Long.toString(endOffset).getBytes(StandardCharsets.US_ASCII)));
            files.force(channel);
        }
    }

    /**
     * The mark of a replica that must not lead; null when it may, because it is complete, or has caught up since, or
     * because there is no other.
     *
     * @param replicas how many the partition has
     * @param inSync how many of them the controller takes for complete, this one among them
     */
    @Nullable
    public Path mustNotLead(FileOps files, String partition, int replicas, int inSync) throws IOException {
        Path dir = partitions.get(partition);
        if (dir == null) {
            return null;
        }
        Path mark = dir.resolve(MARK);
        // With others in the ISR: it came back there by the word of a leader.
        if (replicas > 1 && inSync <= 1 && Files.exists(mark) && !hasFollowed(dir, mark)) {
            return mark;
        }
        files.deleteIfExists(mark);
        partitions.remove(partition);
        return null;
    }

    /**
     * True when the log is not as it was left: only a leader's records, or a leader's truncation, can have changed it.
     */
    static boolean hasFollowed(Path dir, Path mark) throws IOException {
        long endOffset;
        try {
            endOffset = Long.parseLong(Files.readString(mark).trim());
        } catch (NumberFormatException e) { // cut off in the middle
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.disk.SsdFile;
import io.evenkeel.tiered.file.CopyFailure;
import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileCopy;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;

/**
 * One copy of one sealed segment from SSD to HDD, one bounded step at a time. Not thread safe: one copier runs it.
 *
 * <p>{@link FileCopy} makes the copy; this class stops it as soon as the segment changes, and publishes it. Until it is
 * published, no path that Kafka knows leads to the copy; {@link #close()} removes it.
 */
final class SegmentCopy implements AutoCloseable {
    private enum Progress {
        RUNNING,
        PUBLISHED,
        /** The segment has changed since the copy was begun. */
        OUTDATED
    }

    private final Segment segment;
    private final CopyTicket ticket;
    private final FileCopy copy;
    private Progress progress = Progress.RUNNING;

    SegmentCopy(FileOps files, Segment segment, CopyTicket ticket, DirectIoBuffer buffer) {
        this.segment = segment;
        this.ticket = ticket;
        this.copy = new FileCopy(files, ticket.ssdFile().path(), ticket.path(), buffer);
    }

    Segment segment() {
        return segment;
    }

    SsdFile source() {
        return ticket.ssdFile();
    }

    long sizeBytes() {
        return copy.sizeBytes();
    }

    boolean isDone() {
        return progress != Progress.RUNNING;
    }

    /** False after {@link #isDone()} when the segment changed meanwhile. */
    boolean isPublished() {
        return progress == Progress.PUBLISHED;
    }

    /** True when the next step writes to the HDD. */
    boolean isWriting() {
        return copy.stage() == FileCopy.Stage.COPY;
    }

    /**
     * Does the next step.
     *
     * @return the bytes that it wrote to the HDD or read back from it: one chunk at most
     */
    long step() throws CopyFailure {
        try {
            if (!ticket.isCurrent()) {
                progress = Progress.OUTDATED;
            } else if (copy.stage() == FileCopy.Stage.COMPLETE) {
                publish();
            } else {
                return copy.step();
            }
            return 0;
        } catch (IOException e) {
            throw CopyFailure.of(e);
        }
    }

    private void publish() throws IOException {
        copy.close();
        boolean published = copy.hasModifiedTimeOfSource()
                && ticket.publish(copy.path(), copy.modified().toMillis());
        progress = published ? Progress.PUBLISHED : Progress.OUTDATED;
    }

    /** Ends the copy; the file is deleted unless it was published. */
    @Override
    public void close() throws IOException {
        if (isPublished()) {
            copy.close();
        } else {
            copy.discard();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TruncatedTail;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Remembers what it was told, one line an event. */
public final class RecordingListener implements TierListener {
    public final List<String> events = Collections.synchronizedList(new ArrayList<>());

    private void add(String what, Path segment) {
        events.add(what + " " + segment.getFileName());
    }

    @Override
    public void placedOnHdd(Path segment, String reason) {
        add("placedOnHdd", segment);
    }

    @Override
    public void copied(Path segment, long bytes) {
        add("copied", segment);
    }

    @Override
    public void evicted(Path segment, long bytes) {
        add("evicted", segment);
    }

    @Override
    public void copyFailed(Path segment, IOException failure) {
        add("copyFailed", segment);
    }

    @Override
    public void quarantine(Path segment, IOException failure) {
        add("quarantine", segment);
    }

    @Override
    public void evictFailed(Path segment, IOException failure) {
        add("evictFailed", segment);
    }

    @Override
    public void spilled(Path segment, long bytes) {
        add("spilled", segment);
    }

    @Override
    public void ssdSuspect(Path ssdDir, Path file, IOException failure) {
        add("ssdSuspect", file);
    }

    @Override
    public void unreadable(Path logDir, Path segment, IOException failure) {
        add("unreadable", segment);
    }

    @Override
    public void storageError(Path logDir, Path segment, IOException failure) {
        add("storageError", segment);
    }

    @Override
    public void drained(List<Path> left) {
        events.add(left.isEmpty() ? "drained" : "drained, left: " + left);
    }

    @Override
    public void drainHeldUp(List<Path> staying) {
        events.add("drainHeldUp " + staying);
    }

    @Override
    public void truncating(List<TruncatedTail> tails) {
        for (TruncatedTail tail : tails) {
            events.add("truncating " + tail.partition().getFileName() + " from " + tail.fromOffset() + " to "
                    + tail.knownEndOffset() + ", " + tail.segments() + " segments");
        }
    }

    @Override
    public void ssdClaimed(Path ssdDir, boolean replaced) {
        add(replaced ? "ssdReplaced" : "ssdClaimed", ssdDir);
    }

    @Override
    public void unknownOnSsd(Path dir) {
        add("unknownOnSsd", dir);
    }

    @Override
    public void leftoversRemoved(Path ssdPartition, int files, long bytes) {
        events.add("leftoversRemoved " + ssdPartition.getFileName() + " " + files + " " + bytes);
    }

    @Override
    public void leftAsItIs(Path file, IOException failure) {
        add("leftAsItIs", file);
    }
}

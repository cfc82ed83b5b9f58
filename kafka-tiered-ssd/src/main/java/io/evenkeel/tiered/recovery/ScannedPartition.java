/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import io.evenkeel.tiered.file.FileReads;
import io.evenkeel.tiered.file.FileStamp;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The files in a partition's directory that a start must know of. Immutable.
 *
 * @param files the segments that are real files, by name
 * @param leftovers files that only a crash can have left behind
 * @param incompleteMarker the file that says that the replica has lost records, or null
 */
record ScannedPartition(
        Path dir,
        List<Link> links,
        Map<String, FileStamp> files,
        List<Path> leftovers,
        @Nullable Path incompleteMarker) {

    /** A segment that is a link. */
    record Link(Path path, SegmentFileName name, Path target) {}

    static ScannedPartition read(Path dir) throws IOException {
        List<Link> links = new ArrayList<>();
        Map<String, FileStamp> files = new HashMap<>();
        List<Path> leftovers = new ArrayList<>();
        Path incompleteMarker = null;
        for (Path file : FileReads.children(dir)) {
            String fileName = SegmentFileName.nameOf(file);
            SegmentFileName name = SegmentFileName.parse(fileName);
            if (name != null) {
                BasicFileAttributes attributes = FileReads.attributes(file);
                if (attributes != null && attributes.isSymbolicLink()) {
                    links.add(new Link(file, name, FileReads.target(file)));
                } else {
                    FileStamp version = FileStamp.of(attributes);
                    if (version != null) {
                        files.put(fileName, version);
                    }
                }
            } else if (SegmentFileName.isLeftover(fileName)) {
                leftovers.add(file);
            } else if (fileName.equals(IncompleteReplicas.MARKER)) {
                incompleteMarker = file;
            }
        }
        return new ScannedPartition(dir, links, files, leftovers, incompleteMarker);
    }
}

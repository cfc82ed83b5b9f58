/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a directory of a log directory holds that a start must know of. Immutable.
 *
 * @param files the segments that are real files, by name
 * @param leftovers what only a crash can have left behind
 * @param mark that the replica has given up records, or null
 */
record FoundPartition(
        Path dir,
        List<Link> links,
        Map<String, FileVersion> files,
        List<Path> leftovers,
        @Nullable Path mark) {

    /** A segment that is a link. */
    record Link(Path path, LogFileName name, Path target) {}

    static FoundPartition read(Path dir) throws IOException {
        List<Link> links = new ArrayList<>();
        Map<String, FileVersion> files = new HashMap<>();
        List<Path> leftovers = new ArrayList<>();
        Path mark = null;
        for (Path file : DiskReads.children(dir)) {
            String fileName = LogFileName.nameOf(file);
            LogFileName name = LogFileName.parse(fileName);
            if (name != null) {
                BasicFileAttributes attributes = DiskReads.attributes(file);
                if (attributes != null && attributes.isSymbolicLink()) {
                    links.add(new Link(file, name, DiskReads.target(file)));
                } else {
                    FileVersion version = FileVersion.of(attributes);
                    if (version != null) {
                        files.put(fileName, version);
                    }
                }
            } else if (LogFileName.isLeftover(fileName)) {
                leftovers.add(file);
            } else if (fileName.equals(IncompleteReplicas.MARK)) {
                mark = file;
            }
        }
        return new FoundPartition(dir, links, files, leftovers, mark);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit.disk;

import io.evenkeel.testkit.Commands;
import io.evenkeel.testkit.SegmentFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The pages of files that the kernel holds in memory. Stateless. */
public final class PageCache {
    private PageCache() {}

    /** How much of a file is in memory now. */
    public static long residentBytes(Path file) throws IOException {
        return Long.parseLong(Commands.run("fincore", "--bytes", "--noheadings", "--output", "RES", file.toString()));
    }

    /** Writes a file back and puts it out of memory; only that file, because others share this machine. */
    public static void drop(Path file) throws IOException {
        Commands.run("sync", file.toString());
        Commands.run("dd", "if=" + file, "iflag=nocache", "count=0", "status=none");
    }

    /** The same for each of them, on whichever device it is. */
    public static void drop(List<SegmentFiles.Segment> segments) throws IOException {
        for (SegmentFiles.Segment segment : segments) {
            drop(segment.path());
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Length and modification time of a file. A copy has the same stamp as its original as long as neither is written to: a
 * broker without the tier may have written to the HDD file, and then the HDD file is the truth. Immutable.
 *
 * @param modifiedMicros the time of the last write
 */
public record FileStamp(long sizeBytes, long modifiedMicros) {

    /** The stamp of a regular file; null for anything else. */
    public static @Nullable FileStamp of(@Nullable BasicFileAttributes attributes) {
        return attributes == null || !attributes.isRegularFile()
                ? null
                : new FileStamp(attributes.size(), attributes.lastModifiedTime().to(TimeUnit.MICROSECONDS));
    }

    /** The stamp of the file at that path, or null when it is no regular file. */
    public static @Nullable FileStamp at(Path file) throws IOException {
        return of(FileReads.attributes(file));
    }

    /** True when an SSD file and an HDD file still have the same stamp. */
    public static boolean areSame(Path ssdFile, Path hddFile) throws IOException {
        FileStamp stamp = at(ssdFile);
        return stamp != null && stamp.isSame(at(hddFile));
    }

    public boolean isSame(@Nullable FileStamp other) {
        return other != null && sizeBytes == other.sizeBytes && modifiedMicros == other.modifiedMicros;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a copy has in common with its original as long as nobody has written to either: a broker without the tier may
 * have written to the HDD file meanwhile, and then that is the truth. Immutable.
 *
 * @param modifiedMicros when it was written to last
 */
public record FileStamp(long sizeBytes, long modifiedMicros) {

    /** Of a regular file; null of anything else. */
    public static @Nullable FileStamp of(@Nullable BasicFileAttributes seen) {
        return seen == null || !seen.isRegularFile()
                ? null
                : new FileStamp(seen.size(), seen.lastModifiedTime().to(TimeUnit.MICROSECONDS));
    }

    /** Of what has that name, or null when this is no regular file. */
    public static @Nullable FileStamp at(Path file) throws IOException {
        return of(FileReads.attributes(file));
    }

    /** True when an SSD file is still the copy that was made of, or for, an HDD file. */
    public static boolean areSame(Path ssdFile, Path hddFile) throws IOException {
        FileStamp stamp = at(ssdFile);
        return stamp != null && stamp.isSame(at(hddFile));
    }

    public boolean isSame(@Nullable FileStamp other) {
        return other != null && sizeBytes == other.sizeBytes && modifiedMicros == other.modifiedMicros;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a copy has in common with its original as long as nobody has written to either: a broker without the tier may have written to
 * the HDD file meanwhile, and then that is the truth. Immutable.
 *
 * @param modifiedMicros when it was written to last
 */
record FileVersion(long sizeBytes, long modifiedMicros) {

    /** Of a regular file; null of anything else. */
    static @Nullable FileVersion of(@Nullable BasicFileAttributes seen) {
        return seen == null || !seen.isRegularFile()
                ? null
                : new FileVersion(seen.size(), seen.lastModifiedTime().to(TimeUnit.MICROSECONDS));
    }

    /** Of what has that name, or null when this is no regular file. */
    static @Nullable FileVersion at(Path file) throws IOException {
        return of(DiskReads.attributes(file));
    }

    boolean isSame(@Nullable FileVersion other) {
        return other != null && sizeBytes == other.sizeBytes && modifiedMicros == other.modifiedMicros;
    }
}

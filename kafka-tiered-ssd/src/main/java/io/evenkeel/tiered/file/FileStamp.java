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
 * <p>Some file systems, and some archives, keep whole seconds only. So a whole second is the same as each time within
 * it.
 *
 * @param modifiedMicros the time of the last write
 */
public record FileStamp(long sizeBytes, long modifiedMicros) {
    private static final long SECOND_MICROS = TimeUnit.SECONDS.toMicros(1);

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
        return other != null && sizeBytes == other.sizeBytes && isSameTime(modifiedMicros, other.modifiedMicros);
    }

    private static boolean isSameTime(long micros, long otherMicros) {
        return micros == otherMicros
                || (Math.floorDiv(micros, SECOND_MICROS) == Math.floorDiv(otherMicros, SECOND_MICROS)
                        && (micros % SECOND_MICROS == 0 || otherMicros % SECOND_MICROS == 0));
    }
}

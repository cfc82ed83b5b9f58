/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import java.io.IOException;
import java.nio.file.NoSuchFileException;

/** A copy from SSD to HDD that failed, with the reason. Immutable. */
public final class CopyFailure extends IOException {
    private static final long serialVersionUID = 1L;

    /** What stopped the copy. */
    public enum Cause {
        /** The SSD file could not be flushed: what the page cache shows of it may never have reached the device. */
        SOURCE_DOUBTFUL,
        /** The SSD could not read the file. */
        SOURCE_UNREADABLE,
        /** A path no longer exists: Kafka may have renamed or deleted the directory. */
        GONE,
        /**
         * Everything else, which says nothing against the SSD: usually the HDD could not write or read the copy. A file
         * that cannot be opened is such a case: permission or file handles may be lacking.
         */
        TARGET;

        /** True when the SSD failed, not the HDD. */
        public boolean isSource() {
            return this == SOURCE_DOUBTFUL || this == SOURCE_UNREADABLE;
        }
    }

    private final Cause reason;
    private final IOException failure;

    CopyFailure(Cause reason, IOException failure) {
        super(failure.getMessage(), failure);
        this.reason = reason;
        this.failure = failure;
    }

    /** The failure of a step, with the reason that the exception shows unless the step has already named one. */
    public static CopyFailure of(IOException failure) {
        if (failure instanceof CopyFailure known) {
            return known;
        }
        return new CopyFailure(failure instanceof NoSuchFileException ? Cause.GONE : Cause.TARGET, failure);
    }

    public Cause reason() {
        return reason;
    }

    /** The exception that the device or the check threw, for messages. */
    public IOException failure() {
        return failure;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import io.evenkeel.tiered.api.TierSettings;
import java.nio.file.Path;

/**
 * Something on the disks that the tier does not leave there in normal operation. Immutable.
 *
 * @param path the file or directory concerned
 * @param detail what the survey found there
 */
public record DiskProblem(Kind kind, Path path, String detail) {
    /** The kinds of problems, with their meaning to an operator. */
    public enum Kind {
        /** The records of the segment cannot be read. */
        DANGLING_LINK("the SSD file is missing: a broker with the tier refuses to start, and a stock broker skips the"
                + " segment; mount the right SSD"),
        /** A link that the tier did not create, or that points to an SSD that is not configured. */
        FOREIGN_LINK("the link points outside " + TierSettings.DIRS + ": a broker with the tier refuses to start; add"
                + " the missing directory to " + TierSettings.DIRS),
        /** The SSD has a file for each link, but none of the files can be trusted. */
        WRONG_SSD("links point to this SSD, but its files cannot be trusted: a broker with the tier refuses to start;"
                + " mount the right SSD"),
        /** The newest files on the SSD have no link in this log directory, and must not be taken for leftovers. */
        OLDER_LOG_DIR("a broker with the tier refuses to start; mount the right disk"),
        /** It cannot belong to two segments. */
        SHARED_FILE("another link points to the same SSD file: a broker with the tier refuses to start; check whether"
                + " the log directory has been copied"),
        /** No segment belongs to it. */
        ORPHAN("this SSD file belongs to no segment; the next start removes it"),
        /** The HDD file has changed since the copy was made. */
        STALE_COPY("the SSD file differs from the HDD file, which is the valid one; the next start removes the SSD"
                + " file"),
        /** A copy or a link that still has its temporary name. */
        UNFINISHED("on a running broker, a copy in progress; otherwise left by a crash, and the next start removes it"),
        /** A file that takes space, and that the tier does not know. */
        UNKNOWN_FILE("the file belongs to none of this broker's log directories; the tier never removes it"),
        /** The device fails to read it. */
        UNREADABLE_FILE("the SSD fails to read it: a broker with the tier may not start; stop the broker, move what can"
                + " be read to the HDD with drain --offline, and replace the SSD"),
        /** Its segments can be read, but no segment can be appended to. */
        READ_ONLY_SSD("the SSD cannot be written to: a broker with the tier refuses to start; correct its owner, mode"
                + " or mount, or move its segments to the HDD with drain --offline and replace it"),
        /** The whole directory cannot be used. */
        UNUSABLE_SSD("the SSD cannot be used: a broker with the tier refuses to start"),
        /** The survey does not include it. */
        UNREADABLE_LOG_DIR("the log directory cannot be read; the output does not include it");

        private final String meaning;

        Kind(String meaning) {
            this.meaning = meaning;
        }

        /** The consequence, and what to do. */
        public String meaning() {
            return meaning;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.inspect;

import io.evenkeel.tiered.api.TierSettings;
import java.nio.file.Path;

/**
 * Something on the disks that is not as the tier leaves it when nothing goes wrong. Immutable.
 *
 * @param path where it is
 * @param detail what was found there
 */
public record DiskProblem(Kind kind, Path path, String detail) {
    /** What is wrong, and what that means to an operator. */
    public enum Kind {
        /** Nobody can reach the records of the segment. */
        DANGLING_LINK("the SSD file is missing: a broker with the tier refuses to start, and a stock broker skips the"
                + " segment; mount the right SSD"),
        /** A link that the tier has not made, or that the config does not cover. */
        FOREIGN_LINK("the link leads out of " + TierSettings.DIRS + ": a broker with the tier refuses to start;"
                + " complete " + TierSettings.DIRS),
        /** It has a file for each link, but none of them can be trusted. */
        DOUBTFUL_SSD("links lead there, so a broker with the tier refuses to start; mount the right SSD"),
        /** Which of the segments does it belong to? */
        SHARED_FILE("another link leads to the same SSD file: a broker with the tier refuses to start; has the log"
                + " directory been copied?"),
        /** No segment belongs to it. */
        ORPHAN("no segment belongs to this SSD file; it is removed at the next start"),
        /** The HDD file has been changed since. */
        STALE_COPY("the SSD file differs from the HDD file, which is the truth; it is removed at the next start"),
        /** A copy or a link that has not got its final name. */
        UNFINISHED("a copy under way if the broker runs; else left by a kill, and removed at the next start"),
        /** Takes space, and nobody knows for what. */
        UNKNOWN_FILE("not a file of this broker's log directories; nothing removes it but you"),
        /** The whole directory cannot be used. */
        UNUSABLE_SSD("a broker with the tier refuses to start"),
        /** What is in it has not been looked at. */
        UNREADABLE_LOG_DIR("the log directory is left out of all that is shown here");

        private final String meaning;

        Kind(String meaning) {
            this.meaning = meaning;
        }

        /** What follows from it, and what to do. */
        public String meaning() {
            return meaning;
        }
    }
}

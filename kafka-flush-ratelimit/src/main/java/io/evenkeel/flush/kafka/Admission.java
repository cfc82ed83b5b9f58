/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.HandlerShare;
import io.evenkeel.flush.UnflushedLog;
import org.jspecify.annotations.Nullable;

/**
 * What an append was given to go on. Immutable.
 *
 * @param reservation null when the log is not paced any more
 * @param handler null for a follower, which holds none
 */
record Admission(
        KafkaPacedLog log, UnflushedLog.@Nullable Reservation reservation, HandlerShare.@Nullable Held handler) {

    /** The append is over, however it ended. */
    void end() {
        if (reservation != null) {
            log.release(reservation);
        }
        if (handler != null) {
            log.handlers().leave(handler);
        }
    }
}

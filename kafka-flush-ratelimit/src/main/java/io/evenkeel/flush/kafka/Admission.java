/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.DirtyLog;
import io.evenkeel.flush.HandlerShare;
import org.jspecify.annotations.Nullable;

/**
 * What an append was given to go on. Immutable.
 *
 * @param promise null when the log is not paced any more
 * @param handler null for a follower, which holds none
 */
record Admission(PacedLog log, DirtyLog.@Nullable Promise promise, HandlerShare.@Nullable Held handler) {

    /** The append is over, however it ended. */
    void end() {
        if (promise != null) {
            log.release(promise);
        }
        if (handler != null) {
            log.dir().handlers().leave(handler);
        }
    }
}

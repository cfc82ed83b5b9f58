/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import org.apache.kafka.server.util.timer.TimerTask;

/** A task that is due at once and does nothing: who waits for its timer stops waiting. */
public final class WakeUp extends TimerTask {
    public WakeUp() {
        super(0);
    }

    @Override
    public void run() {
        // it has done its work by being added
    }
}

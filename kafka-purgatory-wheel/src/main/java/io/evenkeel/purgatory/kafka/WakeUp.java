/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import org.apache.kafka.server.util.timer.TimerTask;

/** A task that is due at once and does nothing, so that a thread that waits in the timer stops waiting. */
public final class WakeUp extends TimerTask {
    public WakeUp() {
        super(0);
    }

    @Override
    public void run() {
        // adding it has ended the wait
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import org.apache.kafka.server.util.ShutdownableThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that drives a purgatory's timer until it is shut down. An exception does not end it. */
public final class ExpirationReaper extends ShutdownableThread {
    /** The clock of a timer. */
    @FunctionalInterface
    public interface Clock {
        /** Runs due tasks, or waits for one. */
        boolean advance(long timeoutMs) throws InterruptedException;
    }

    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.purgatory");

    /** As in stock: other timers, in tests, take this for time that has passed. */
    private static final long WAIT_MS = 200;

    private final Clock clock;

    public ExpirationReaper(String name, Clock clock) {
        super(name, false);
        this.clock = clock;
    }

    @Override
    public void doWork() {
        try {
            clock.advance(WAIT_MS);
        } catch (Exception e) {
            LOG.error("{} failed and continues; requests may time out late.", getName(), e);
        }
    }
}

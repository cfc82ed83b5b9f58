/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory.kafka;

import org.apache.kafka.server.util.ShutdownableThread;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A thread that drives a purgatory's timer until it is told to end. Nothing else ends it. */
public final class ExpirationReaper extends ShutdownableThread {
    /** A timer's clock. */
    @FunctionalInterface
    public interface Clock {
        /** Runs what is due, or waits for it. */
        boolean advance(long timeoutMs) throws InterruptedException;
    }

    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.purgatory");

    /** As long as stock's: a timer of another make, in tests, takes it for time that has passed. */
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
            LOG.error("{} failed and goes on; requests may time out late.", getName(), e);
        }
    }
}

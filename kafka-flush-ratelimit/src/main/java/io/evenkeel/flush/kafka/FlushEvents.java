/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.core.kafka.FlightRecorder;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The event of a flush in recordings of the JDK's flight recorder. Thread safe; costs nothing while none is made. */
final class FlushEvents {
    private FlushEvents() {}

    /** A log was flushed by rate. */
    static void flushed(String log, long bytes, long nanos) {
        if (FlightRecorder.isThere()) {
            LogFlush event = new LogFlush();
            event.log = log;
            event.bytes = bytes;
            event.took = nanos;
            event.commit();
        }
    }

    @Name("io.evenkeel.LogFlush")
    @Label("Log Flush")
    @Description("The log of a partition has been flushed by rate")
    @Category("Evenkeel")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // the recorder reads the fields
    private static final class LogFlush extends Event {
        @Label("Log")
        String log = "";

        @Label("Bytes")
        @DataAmount
        long bytes;

        @Label("Took")
        @Timespan
        long took;
    }
}

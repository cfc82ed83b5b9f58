/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.core.kafka.FlightRecorder;
import java.nio.file.Path;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** The tier's events in recordings of the JDK's flight recorder. Thread safe; costs nothing while none is made. */
final class TierEvents {
    private TierEvents() {}

    /** A segment is complete on both devices. */
    static void copied(Path segment, long bytes) {
        if (FlightRecorder.isThere()) {
            commit(new SegmentCopy(), segment, bytes);
        }
    }

    /** A segment has left the SSD. */
    static void evicted(Path segment, long bytes) {
        if (FlightRecorder.isThere()) {
            commit(new SegmentEviction(), segment, bytes);
        }
    }

    private static void commit(SegmentEvent event, Path segment, long bytes) {
        event.file = segment.toString();
        event.bytes = bytes;
        event.commit();
    }

    /** A response has waited for bytes of a partition from a disk. */
    static void waited(String connection, String partition, long nanos) {
        if (FlightRecorder.isThere()) {
            ColdReadWait event = new ColdReadWait();
            event.connection = connection;
            event.partition = partition;
            event.waited = nanos;
            event.commit();
        }
    }

    @Category("Evenkeel")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // the recorder reads the fields
    private abstract static class SegmentEvent extends Event {
        @Label("File")
        String file = "";

        @Label("Bytes")
        @DataAmount
        long bytes;
    }

    @Name("io.evenkeel.SegmentCopy")
    @Label("Segment Copy")
    @Description("A segment has been copied from an SSD to an HDD")
    private static final class SegmentCopy extends SegmentEvent {}

    @Name("io.evenkeel.SegmentEviction")
    @Label("Segment Eviction")
    @Description("A segment has left its SSD")
    private static final class SegmentEviction extends SegmentEvent {}

    @Name("io.evenkeel.ColdReadWait")
    @Label("Cold Read Wait")
    @Description("A response has waited for bytes from a disk, while its network thread served others")
    @Category("Evenkeel")
    @StackTrace(false)
    @SuppressWarnings("UnusedVariable") // the recorder reads the fields
    private static final class ColdReadWait extends Event {
        @Label("Connection")
        String connection = "";

        @Label("Partition")
        String partition = "";

        @Label("Waited")
        @Timespan
        long waited;
    }
}

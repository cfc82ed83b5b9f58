/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.quickstart;

import java.io.IOException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;

/** The broker's gauges of the tier at one instant. Immutable. */
record TierGauges(
        long segmentsOnlyCache,
        long segmentsCached,
        long segmentsWithoutCache,
        long bytesOnlyCache,
        long bytesCached,
        long bytesWithoutCache,
        long copiedBytes,
        long evictedBytes,
        long ssdReadBytes,
        long hddReadBytes,
        long ssdUsedBytes) {

    static final TierGauges NONE = new TierGauges(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    static TierGauges read(MBeanServerConnection broker) throws IOException {
        return new TierGauges(
                value(broker, "SegmentsOnlyCache"),
                value(broker, "SegmentsCached"),
                value(broker, "SegmentsWithoutCache"),
                value(broker, "BytesOnlyCache"),
                value(broker, "BytesCached"),
                value(broker, "BytesWithoutCache"),
                value(broker, "CopiedBytes"),
                value(broker, "EvictedBytes"),
                value(broker, "SsdReadBytes"),
                value(broker, "HddReadBytes"),
                value(broker, "SsdUsedBytes"));
    }

    boolean hasAllStates() {
        return segmentsOnlyCache > 0 && segmentsCached > 0 && segmentsWithoutCache > 0;
    }

    private static long value(MBeanServerConnection broker, String name) throws IOException {
        try {
            Object value = broker.getAttribute(new ObjectName("kafka.log:type=TieredSsd,name=" + name), "Value");
            return ((Number) value).longValue();
        } catch (InstanceNotFoundException e) {
            throw new IOException("The broker has no gauge " + name + ": is the agent in it?", e);
        } catch (JMException e) {
            throw new IOException("The broker's gauge " + name + " cannot be read", e);
        }
    }
}

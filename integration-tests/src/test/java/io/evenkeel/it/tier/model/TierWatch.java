/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier.model;

import java.io.IOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.storage.internals.log.LogSegment;
import org.apache.kafka.storage.internals.log.UnifiedLog;

/**
 * What the tier was seen to do while the log was tried: the proof that a comparison compared something. Not thread
 * safe.
 *
 * <p>On stock there are no gauges and no links, and all of it is zero.
 */
final class TierWatch {
    static final String RELINKED = "SegmentsMadeOnlyCacheAgain";

    /** The highest value that each of these gauges had. */
    static final List<String> GAUGES = List.of(
            "SegmentsOnlyCache",
            "SegmentsCached",
            "SegmentsWithoutCache",
            "CopiedSegments",
            "EvictedSegments",
            "SsdReadBytes",
            "HddReadBytes");

    private final MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    private final Map<String, Long> highest = new TreeMap<>();
    private final Map<Path, Boolean> links = new HashMap<>();

    TierWatch() {
        GAUGES.forEach(gauge -> highest.put(gauge, 0L));
        highest.put(RELINKED, 0L);
    }

    void look(UnifiedLog log) throws IOException, JMException {
        for (String gauge : GAUGES) {
            ObjectName name = new ObjectName("kafka.log:type=TieredSsd,name=" + gauge);
            if (beans.isRegistered(name)) {
                highest.merge(gauge, (Long) beans.getAttribute(name, "Value"), Math::max);
            }
        }
        for (LogSegment segment : log.logSegments()) {
            Path file = segment.log().file().toPath();
            boolean link = Files.isSymbolicLink(file);
            if (Boolean.FALSE.equals(links.put(file, link)) && link) {
                highest.merge(RELINKED, 1L, Long::sum);
            }
        }
    }

    void write(Path file) throws IOException {
        Properties properties = new Properties();
        highest.forEach((name, value) -> properties.setProperty(name, value.toString()));
        try (Writer writer = Files.newBufferedWriter(file)) {
            properties.store(writer, null);
        }
    }
}

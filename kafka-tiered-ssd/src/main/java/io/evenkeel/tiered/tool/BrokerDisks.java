/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.disk.SpaceReservation;
import io.evenkeel.tiered.inspect.DiskProblem;
import io.evenkeel.tiered.inspect.DiskSurvey;
import io.evenkeel.tiered.inspect.SurveyedSegment;
import io.evenkeel.tiered.kafka.LogDirs;
import io.evenkeel.tiered.kafka.TieredSsdConfig;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;

/**
 * The disks of a broker, according to its configuration. Immutable.
 *
 * @param unreadable one problem for each configured log directory that cannot be read
 * @param segmentBytes the maximum size of a segment; topics that override it are not considered
 */
record BrokerDisks(TierSettings settings, List<LogDirMeta> logDirs, List<DiskProblem> unreadable, long segmentBytes) {
    private static final String SEGMENT_BYTES = "log.segment.bytes";
    private static final long DEFAULT_SEGMENT_BYTES = 1L << 30;
    private static final int SCANS = 3;
    private static final long PAUSE_MS = 200;

    /**
     * Reads the configuration and the identity of each log directory.
     *
     * @param configs {@code server.properties}, and files that add to it or override it
     * @throws ConfigException when a key of the tier is unknown or has an invalid value, or the tier is off
     */
    static BrokerDisks of(List<Path> configs) throws IOException {
        Map<String, Object> values = read(configs);
        TierSettings settings = TieredSsdConfig.parse(values);
        if (settings == null) {
            throw new ConfigException(
                    TierSettings.DIRS + " is not set in " + configs + "; if it is set in the file that the agent's"
                            + " argument config= names, pass that file with a second --config");
        }
        List<LogDirMeta> logDirs = new ArrayList<>();
        List<DiskProblem> unreadable = new ArrayList<>();
        for (Path dir : LogDirs.names(values).keySet()) {
            try {
                logDirs.add(LogDirs.identity(dir));
            } catch (IOException e) {
                unreadable.add(new DiskProblem(DiskProblem.Kind.UNREADABLE_LOG_DIR, dir, CommandLine.inOneLine(e)));
            }
        }
        if (logDirs.isEmpty()) {
            throw new IOException(
                    "No log directory can be read; check the disks and run the tool as the broker's user: "
                            + unreadable.get(0).detail());
        }
        Object segmentBytes = values.getOrDefault(SEGMENT_BYTES, DEFAULT_SEGMENT_BYTES);
        return new BrokerDisks(
                settings,
                logDirs,
                unreadable,
                Long.parseLong(segmentBytes.toString().trim()));
    }

    /** All of the broker's config. */
    static Map<String, Object> read(List<Path> configs) throws IOException {
        Properties properties = new Properties();
        for (Path file : configs) {
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            }
        }
        // resolves Kafka's config providers, as the broker does
        return new AbstractConfig(new ConfigDef(), properties, false).originals();
    }

    /** The segments and problems on the disks; only problems that persist for a moment are included. */
    DiskSurvey survey() throws IOException, InterruptedException {
        DiskSurvey survey = scan();
        for (int scan = 1; scan < SCANS && !survey.problems().isEmpty(); scan++) {
            Thread.sleep(PAUSE_MS);
            survey = scan().confirming(survey);
        }
        List<DiskProblem> problems = new ArrayList<>(unreadable);
        problems.addAll(survey.problems());
        return new DiskSurvey(survey.segments(), problems, survey.usedBytes(), survey.unknownBytes());
    }

    /** One scan; on a running broker, a problem may be a step of its work. */
    DiskSurvey scan() throws IOException {
        return DiskSurvey.take(logDirs, settings.ssdDirs());
    }

    String clusterId() {
        return logDirs.get(0).clusterId();
    }

    String nodeId() {
        return logDirs.get(0).nodeId();
    }

    long highWatermarkBytes() {
        return (long) (settings.capacityBytes() * settings.dynamic().highWatermarkRatio());
    }

    long lowWatermarkBytes() {
        return (long) (settings.capacityBytes() * settings.dynamic().lowWatermarkRatio());
    }

    /** The most that the broker reserves on an SSD for active segments, beyond the bytes already written. */
    long reservedBytes(DiskSurvey survey, Path ssd) {
        return survey.segments().stream()
                .filter(segment -> segment.isNewest() && ssd.equals(segment.ssdDir()))
                .mapToLong((SurveyedSegment segment) -> SpaceReservation.aheadBytes(segment.sizeBytes(), segmentBytes))
                .sum();
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.TierSettings;
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
 * Which disks a broker has, by its own configuration. Immutable.
 *
 * @param unreadable log directories that are configured but not among {@code logDirs}
 * @param segmentBytes what a segment may grow to, unless its topic says otherwise
 */
record BrokerDisks(TierSettings settings, List<LogDirMeta> logDirs, List<DiskProblem> unreadable, long segmentBytes) {
    private static final String SEGMENT_BYTES = "log.segment.bytes";
    private static final long DEFAULT_SEGMENT_BYTES = 1L << 30;
    private static final int LOOKS = 3;
    private static final long PAUSE_MS = 200;

    /**
     * Reads the configuration, and who owns the log directories.
     *
     * @param configs {@code server.properties}, and files that add to it or override it
     * @throws ConfigException when a key of the tier is unknown or impossible, or the tier is off
     */
    static BrokerDisks of(List<Path> configs) throws IOException {
        Map<String, Object> values = read(configs);
        TierSettings settings = TieredSsdConfig.parse(values);
        if (settings == null) {
            throw new ConfigException(
                    TierSettings.DIRS + " is not set in " + configs + "; if it is in the file that the"
                            + " agent's argument config= names, give that file with another --config");
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
                    "No log directory can be read: " + unreadable.get(0).detail());
        }
        Object segmentBytes = values.getOrDefault(SEGMENT_BYTES, DEFAULT_SEGMENT_BYTES);
        return new BrokerDisks(
                settings,
                logDirs,
                unreadable,
                Long.parseLong(segmentBytes.toString().trim()));
    }

    private static Map<String, Object> read(List<Path> configs) throws IOException {
        Properties properties = new Properties();
        for (Path file : configs) {
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            }
        }
        // With Kafka's config providers at work, as in the broker.
        return new AbstractConfig(new ConfigDef(), properties, false).originals();
    }

    /** What the disks hold; with problems only that are still there after a while. */
    DiskSurvey survey() throws IOException, InterruptedException {
        DiskSurvey survey = look();
        for (int look = 1; look < LOOKS && !survey.problems().isEmpty(); look++) {
            Thread.sleep(PAUSE_MS);
            survey = look().confirming(survey);
        }
        List<DiskProblem> problems = new ArrayList<>(unreadable);
        problems.addAll(survey.problems());
        return new DiskSurvey(survey.segments(), problems, survey.usedBytes());
    }

    /** One look; problems may be steps of a broker at work. */
    DiskSurvey look() throws IOException {
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

    /** What the broker has promised, beyond what is written, to segments on an SSD that are appended to. */
    long promisedBytes(DiskSurvey survey, Path ssd) {
        return survey.segments().stream()
                .filter(segment -> segment.isNewest() && ssd.equals(segment.ssdDir()))
                .mapToLong((SurveyedSegment segment) -> Math.max(0, segmentBytes - segment.sizeBytes()))
                .sum();
    }
}

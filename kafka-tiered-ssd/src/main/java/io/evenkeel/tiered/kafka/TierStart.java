/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.file.FileOps;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Switches the tier on when a broker starts: its settings, its disks, its gauges. Stateless. */
final class TierStart {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");

    private TierStart() {}

    /**
     * Begins to look at the disks of a broker that has only begun to start. Null when that will not be needed, or when
     * something is wrong: {@link #run} will find the same and tells.
     */
    static @Nullable EarlyScan lookAhead(Map<String, ?> brokerConfig, Map<String, String> overrides) {
        Map<String, Object> values = values(brokerConfig, overrides);
        try {
            TierSettings settings = TieredSsdConfig.parse(values);
            List<LogDirMeta> logDirs = new ArrayList<>();
            for (Path path : LogDirs.names(values).keySet()) {
                logDirs.add(LogDirs.identity(path));
            }
            return settings == null ? null : EarlyScan.begin(logDirs, settings.ssdDirs());
        } catch (IOException | RuntimeException e) {
            return null;
        }
    }

    /**
     * Answers the tier, or null when it is off; its workers are still to be started.
     *
     * @param overrides add to the broker's own config, or override it
     * @param failures takes log directories that have failed
     * @param ahead what {@link #lookAhead} has begun, or null; closed here
     * @throws ConfigException when a {@code tiered.ssd.*} key is unknown or impossible
     * @throws IOException when the disks do not hold what they promise
     */
    static @Nullable RunningTier run(
            Map<String, ?> brokerConfig,
            Map<String, String> overrides,
            LogDirFailureChannel failures,
            @Nullable EarlyScan ahead)
            throws IOException {
        try (ahead) {
            return run(values(brokerConfig, overrides), failures, ahead);
        }
    }

    private static Map<String, Object> values(Map<String, ?> brokerConfig, Map<String, String> overrides) {
        Map<String, Object> values = new HashMap<>(brokerConfig);
        values.putAll(overrides);
        return values;
    }

    private static @Nullable RunningTier run(
            Map<String, Object> values, LogDirFailureChannel failures, @Nullable EarlyScan ahead) throws IOException {
        TierSettings settings = TieredSsdConfig.parse(values);
        if (settings == null) {
            LOG.info("The SSD tier is off: {} is not set.", TierSettings.DIRS);
            return null;
        }
        List<LogDirMeta> logDirs = LogDirs.read(values);
        if (logDirs.isEmpty()) {
            LOG.warn("The SSD tier is off: no log directory is readable.");
            return null;
        }
        requireApart(settings, logDirs);
        if (settings.onMissing() == OnMissing.TRUNCATE) {
            LOG.warn(
                    "{}=truncate is set: what is missing on an SSD at a start is given up without asking. Remove it when this "
                            + "start is through.",
                    TierSettings.ON_MISSING);
        }
        TierListener listener = new LoggingListener(failures, LogDirs.names(values));
        TieredSsd tier = tier(settings, logDirs, listener, ahead);
        TierMetrics.register(tier);
        LOG.info("The SSD tier is on: {}", settings);
        return new RunningTier(
                tier,
                DynamicTier.settings(tier, settings, values, logDirs.get(0).nodeId()));
    }

    private static TieredSsd tier(
            TierSettings settings, List<LogDirMeta> logDirs, TierListener listener, @Nullable EarlyScan ahead)
            throws IOException {
        if (ahead != null && ahead.isAt(logDirs, settings.ssdDirs())) {
            return tier(settings, listener, ahead);
        }
        if (ahead != null) {
            ahead.close(); // else its locks would be in the way
        }
        try (EarlyScan now = EarlyScan.begin(logDirs, settings.ssdDirs())) {
            return tier(settings, listener, now);
        }
    }

    private static TieredSsd tier(TierSettings settings, TierListener listener, EarlyScan look) throws IOException {
        if (look.locked().isEmpty()) {
            throw new IOException("The SSD tier cannot start, because it can take the lock of no log directory.");
        }
        return new TieredSsd(
                settings, look.locked(), new FileOps(), listener, System::nanoTime, new Random(), look::found);
    }

    private static void requireApart(TierSettings settings, List<LogDirMeta> logDirs) {
        for (Path ssd : settings.ssdDirs()) {
            for (LogDirMeta logDir : logDirs) {
                if (ssd.startsWith(logDir.path()) || logDir.path().startsWith(ssd)) {
                    throw new ConfigException(TierSettings.DIRS + "=" + ssd + " and the log directory " + logDir.path()
                            + " must not be inside one another");
                }
            }
        }
    }
}

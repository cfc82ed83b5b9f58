/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import io.kafkapatches.tiered.FileLayer;
import io.kafkapatches.tiered.LogDirIdentity;
import io.kafkapatches.tiered.OnMissing;
import io.kafkapatches.tiered.TierListener;
import io.kafkapatches.tiered.TieredSettings;
import io.kafkapatches.tiered.TieredSsd;
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
    private static final Logger LOG = LoggerFactory.getLogger("io.kafkapatches.tiered");

    private TierStart() {}

    /**
     * Begins to look at the disks of a broker that has only begun to start. Null when that will not be needed, or when
     * something is wrong: {@link #run} will find the same and tells.
     */
    static @Nullable DiskLook lookAhead(Map<String, ?> brokerConfig, Map<String, String> overrides) {
        Map<String, Object> values = values(brokerConfig, overrides);
        try {
            TieredSettings settings = TieredSsdConfig.parse(values);
            List<LogDirIdentity> logDirs = new ArrayList<>();
            for (Path path : LogDirs.names(values).keySet()) {
                logDirs.add(LogDirs.identity(path));
            }
            return settings == null ? null : DiskLook.begin(logDirs, settings.ssdDirs());
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
            @Nullable DiskLook ahead)
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
            Map<String, Object> values, LogDirFailureChannel failures, @Nullable DiskLook ahead) throws IOException {
        TieredSettings settings = TieredSsdConfig.parse(values);
        if (settings == null) {
            LOG.info("The SSD tier is off: {} is not set.", TieredSettings.DIRS);
            return null;
        }
        List<LogDirIdentity> logDirs = LogDirs.read(values);
        if (logDirs.isEmpty()) {
            LOG.warn("The SSD tier is off: no log directory is readable.");
            return null;
        }
        requireApart(settings, logDirs);
        if (settings.onMissing() == OnMissing.TRUNCATE) {
            LOG.warn(
                    "{}=truncate is set: what is missing on an SSD at a start is given up without asking. Remove it when this "
                            + "start is through.",
                    TieredSettings.ON_MISSING);
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
            TieredSettings settings, List<LogDirIdentity> logDirs, TierListener listener, @Nullable DiskLook ahead)
            throws IOException {
        if (ahead != null && ahead.isAt(logDirs, settings.ssdDirs())) {
            return tier(settings, listener, ahead);
        }
        if (ahead != null) {
            ahead.close(); // else its locks would be in the way
        }
        try (DiskLook now = DiskLook.begin(logDirs, settings.ssdDirs())) {
            return tier(settings, listener, now);
        }
    }

    private static TieredSsd tier(TieredSettings settings, TierListener listener, DiskLook look) throws IOException {
        if (look.locked().isEmpty()) {
            throw new IOException("The SSD tier cannot start, because it can take the lock of no log directory.");
        }
        return new TieredSsd(
                settings, look.locked(), new FileLayer(), listener, System::nanoTime, new Random(), look::found);
    }

    private static void requireApart(TieredSettings settings, List<LogDirIdentity> logDirs) {
        for (Path ssd : settings.ssdDirs()) {
            for (LogDirIdentity logDir : logDirs) {
                if (ssd.startsWith(logDir.path()) || logDir.path().startsWith(ssd)) {
                    throw new ConfigException(TieredSettings.DIRS + "=" + ssd + " and the log directory "
                            + logDir.path() + " must not be inside one another");
                }
            }
        }
    }
}

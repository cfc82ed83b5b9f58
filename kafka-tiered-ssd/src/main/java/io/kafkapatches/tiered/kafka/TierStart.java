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
     * Answers the tier, or null when it is off; its workers are still to be started.
     *
     * @param overrides add to the broker's own config, or override it
     * @param failures takes log directories that have failed
     * @throws ConfigException when a {@code tiered.ssd.*} key is unknown or impossible
     * @throws IOException when the disks do not hold what they promise
     */
    static @Nullable RunningTier run(
            Map<String, ?> brokerConfig, Map<String, String> overrides, LogDirFailureChannel failures)
            throws IOException {
        Map<String, Object> values = new HashMap<>(brokerConfig);
        values.putAll(overrides);
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
        TieredSsd tier = new TieredSsd(settings, logDirs, new FileLayer(), listener, System::nanoTime, new Random());
        TierMetrics.register(tier);
        LOG.info("The SSD tier is on: {}", settings);
        return new RunningTier(
                tier,
                DynamicTier.settings(tier, settings, values, logDirs.get(0).nodeId()));
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

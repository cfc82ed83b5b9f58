/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.file.DirectIoBuffer;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.recovery.Recovery;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Switches the tier on when a broker starts: its settings, its disks, its gauges. Stateless. */
public final class TierStart {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");

    private TierStart() {}

    /**
     * Begins to scan the disks of a broker that has only begun to start. Answers null when the tier is off, or when
     * something is wrong: {@link #run} finds the same problem and reports it.
     */
    static @Nullable EarlyScan scanEarly(Map<String, ?> values) {
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
     * @param values the broker's own config with the overrides
     * @param failures takes log directories that have failed
     * @param early the scan that {@link #scanEarly} has begun, or null; closed here
     * @throws ConfigException when a {@code tiered.ssd.*} key is unknown or impossible
     * @throws IOException when files are missing on the disks, or the wrong disks are mounted
     */
    static @Nullable RunningTier run(Map<String, ?> values, LogDirFailureChannel failures, @Nullable EarlyScan early)
            throws IOException {
        try (early) {
            return start(values, failures, early);
        }
    }

    private static @Nullable RunningTier start(
            Map<String, ?> values, LogDirFailureChannel failures, @Nullable EarlyScan early) throws IOException {
        TierSettings settings = TieredSsdConfig.parse(values);
        if (settings == null) {
            LOG.info(TieredSsdConfig.announcement(values));
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
                    "{}=truncate is set: this start gives up segments that are missing on an SSD, without asking."
                            + " Remove the key when the broker has started.",
                    TierSettings.ON_MISSING);
        }
        TierListener listener = new LoggingListener(failures, LogDirs.names(values), LogDirs.ofMetadata(values));
        TieredSsd tier = tier(settings, logDirs, listener, early);
        TierMetrics.register(tier);
        LOG.info(TieredSsdConfig.announcement(values));
        for (LogDirMeta logDir : logDirs) {
            String note = withoutDirectIo(logDir.path());
            if (note != null) {
                LOG.info("{} {}", logDir.path(), note);
            }
        }
        if (!settings.ssdDirs().isEmpty()) {
            LOG.info(SsdRoom.of(settings, logDirs, values).text());
        }
        return new RunningTier(
                tier,
                DynamicTier.settings(tier, settings, values, logDirs.get(0).nodeId()));
    }

    private static TieredSsd tier(
            TierSettings settings, List<LogDirMeta> logDirs, TierListener listener, @Nullable EarlyScan early)
            throws IOException {
        if (early != null && early.covers(logDirs, settings.ssdDirs())) {
            return tier(settings, listener, early);
        }
        if (early != null) {
            early.close(); // its locks would be in the way of the next scan
        }
        try (EarlyScan now = EarlyScan.begin(logDirs, settings.ssdDirs())) {
            return tier(settings, listener, now);
        }
    }

    private static TieredSsd tier(TierSettings settings, TierListener listener, EarlyScan scan) throws IOException {
        if (scan.locked().isEmpty()) {
            throw new IOException("The SSD tier cannot start: could not lock any log directory.");
        }
        return new TieredSsd(
                settings, scan.locked(), new FileOps(), listener, System::nanoTime, new Random(), scan::result);
    }

    /** What copies to a log directory do on a file system that does not suit them; null where it does. */
    public static @Nullable String withoutDirectIo(Path logDir) {
        return DirectIoBuffer.fits(new FileOps().blockBytes(logDir))
                ? null
                : "is on a file system whose blocks are too large for direct I/O. Copies go through the page cache,"
                        + " where they push other data out.";
    }

    /**
     * Finds out whether a start would accept the disks. Takes no lock and changes nothing, so a broker may run.
     *
     * @param logDirs those that are readable; not empty
     * @throws ConfigException when directories are inside one another
     * @throws IOException with the message of the start, when it would be refused
     */
    public static void check(TierSettings settings, List<LogDirMeta> logDirs) throws IOException {
        requireApart(settings, logDirs);
        Recovery.check(new FileOps(), settings, logDirs);
    }

    /** Also when a symbolic link hides it. */
    static void requireApart(TierSettings settings, List<LogDirMeta> logDirs) {
        for (Path ssd : settings.ssdDirs()) {
            for (LogDirMeta logDir : logDirs) {
                Path realSsd = realPath(ssd);
                Path realLogDir = realPath(logDir.path());
                if (realSsd.startsWith(realLogDir) || realLogDir.startsWith(realSsd)) {
                    throw new ConfigException(TierSettings.DIRS + "=" + ssd + " and the log directory " + logDir.path()
                            + " must not be inside one another");
                }
            }
        }
    }

    /** The same path when it cannot be resolved: a missing directory is reported elsewhere. */
    private static Path realPath(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            return path;
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool.preflight;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.kafka.LogDirs;
import io.evenkeel.tiered.kafka.SsdRoom;
import io.evenkeel.tiered.kafka.TierStart;
import io.evenkeel.tiered.kafka.TieredSsdConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** All checks of a broker's config, user and disks. Stateless. */
public final class Preflight {
    private static final int TRIES = 3;
    private static final long PAUSE_MS = 200;

    private Preflight() {}

    /**
     * Runs all of them.
     *
     * @param values the broker's config
     */
    public static List<Finding> run(Map<String, ?> values) throws IOException, InterruptedException {
        List<Finding> findings = new ArrayList<>(ConfigFindings.of(values));
        List<Path> logDirs = List.copyOf(LogDirs.names(values).keySet());
        findings.addAll(ProcessFindings.of(logDirs));
        TierSettings settings = settings(values);
        boolean hasTier = values.get(TierSettings.DIRS.name()) != null;
        List<LogDirMeta> readable = new ArrayList<>();
        for (Path logDir : logDirs) {
            findings.addAll(ofLogDir(logDir, hasTier, readable));
        }
        if (settings != null && !readable.isEmpty()) {
            for (Path ssd : settings.ssdDirs()) {
                if (Files.isDirectory(ssd)) {
                    findings.addAll(DirFindings.ofSsd(ssd, settings, logDirs));
                }
            }
            findings.add(start(settings, readable));
            if (!settings.ssdDirs().isEmpty()) {
                findings.add(room(SsdRoom.of(settings, readable, values)));
            }
        }
        return findings;
    }

    private static Finding room(SsdRoom room) {
        return room.isTooSmall() ? Finding.warning("room", room.text()) : Finding.ok("room", room.text());
    }

    /** Null when the tier is off or its keys are wrong. */
    private static @Nullable TierSettings settings(Map<String, ?> values) {
        try {
            return TieredSsdConfig.parse(values);
        } catch (ConfigException reported) {
            return null;
        }
    }

    private static List<Finding> ofLogDir(Path logDir, boolean hasTier, List<LogDirMeta> readable) {
        try {
            readable.add(LogDirs.identity(logDir));
            return DirFindings.ofLogDir(logDir, hasTier);
        } catch (IOException e) {
            return List.of(Finding.wrong(
                    logDir.toString(),
                    "cannot be read (" + e + "): mount the disk, or format the directory with kafka-storage.sh"));
        }
    }

    /** On a running broker, a problem may be a step of its work: only one that stays counts. */
    private static Finding start(TierSettings settings, List<LogDirMeta> logDirs) throws InterruptedException {
        for (int tried = 1; ; tried++) {
            try {
                TierStart.check(settings, logDirs);
                return Finding.ok("disks", "a start would accept the disks");
            } catch (IOException | ConfigException e) {
                if (tried == TRIES) {
                    return Finding.wrong("disks", String.valueOf(e.getMessage()));
                }
                Thread.sleep(PAUSE_MS);
            }
        }
    }
}

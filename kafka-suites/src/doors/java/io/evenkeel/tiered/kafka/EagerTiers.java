/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.core.Worker;
import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.OpenRequest;
import io.evenkeel.tiered.api.TierSettings;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A tier for each log directory of the JVM, made when it is needed and forgotten when the directory is gone. Thread
 * safe.
 *
 * <p>Each has a directory of its own on the SSD, and a zeal of its own: they take turns. One worker serves them all;
 * appends also make them work. Another worker reads for all their cold readers. Kafka's tests look for threads that a
 * broker leaves behind, so this one begins before the tests.
 */
final class EagerTiers {
    private static final Logger LOG = LoggerFactory.getLogger(EagerTiers.class);
    private static final List<Zeal> IN_TURN = List.of(Zeal.values());
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Map<String, String> keys;
    private final Path ssd;
    private final Map<Path, EagerTier> byLogDir = new ConcurrentHashMap<>();
    private final Map<Path, Path> ssdOfLogDir = new HashMap<>();
    private final Map<FileChannel, EagerTier> byChannel = new ConcurrentHashMap<>();
    private final Map<String, Long> doneByForgotten = new TreeMap<>();
    private final Worker coldReads = new Worker("eager cold reads", this::readCold, EagerTiers::report);
    private final AtomicInteger removals = new AtomicInteger();
    private volatile boolean copies = true;
    private volatile boolean standsStill;
    private int turn = Integer.getInteger("suites.turn", 0);

    /** @param keys the tier's; the only directory that they name becomes the parent of all */
    EagerTiers(Map<String, String> keys) {
        this.keys = Map.copyOf(keys);
        TierSettings settings = TieredSsdConfig.parse(keys);
        if (settings == null) {
            throw new IllegalArgumentException(TierSettings.DIRS + " is not set");
        }
        this.ssd = settings.ssdDirs().get(0);
        coldReads.start();
    }

    /** Whether tiers that are made from now on copy anything. */
    void copies(boolean on) {
        copies = on;
    }

    /** When this returns no tier is at work, and none will be until {@link #goOn()}. */
    void standStill() {
        standsStill = true;
        awaitStandstill();
    }

    void goOn() {
        standsStill = false;
    }

    /**
     * When this returns no tier is at work, and none will be until {@link #removalEnds()}; several may be under way.
     */
    void removalBegins() {
        removals.incrementAndGet();
        awaitStandstill();
    }

    void removalEnds() {
        removals.decrementAndGet();
    }

    private boolean standsStill() {
        return standsStill || removals.get() > 0;
    }

    private void awaitStandstill() {
        byLogDir.values().forEach(EagerTier::awaitStandstill);
    }

    void start() {
        new Worker("eager tiers", now -> step(), EagerTiers::report).start();
    }

    private long step() throws IOException {
        for (EagerTier tier : new HashSet<>(byLogDir.values())) {
            if (tier.isGone()) {
                forget(tier);
            } else {
                tier.workInBackground();
            }
        }
        return PAUSE_NANOS;
    }

    private long readCold(long nowNanos) throws IOException {
        long waitNanos = Long.MAX_VALUE;
        for (EagerTier tier : new HashSet<>(byLogDir.values())) {
            waitNanos = Math.min(waitNanos, tier.readCold(nowNanos));
        }
        return waitNanos;
    }

    /** As in the shipped door, all log directories of a broker are in one tier, which checks the disks first. */
    synchronized void brokerStarts(Map<String, ?> config, LogDirFailureChannel failures) throws IOException {
        List<LogDirMeta> logDirs = LogDirs.read(config);
        for (LogDirMeta logDir : logDirs) {
            EagerTier before = byLogDir.get(logDir.path());
            if (before != null) {
                forget(before);
            }
        }
        if (!logDirs.isEmpty()) {
            EagerTier tier = tier(logDirs, failures);
            logDirs.forEach(logDir -> byLogDir.put(logDir.path(), tier));
        }
    }

    @Nullable
    FileChannel open(Path file, OpenRequest request) throws IOException {
        EagerTier tier = ofLogDir(file.resolveSibling("").resolveSibling(""));
        FileChannel channel = tier.tier().open(file, request);
        if (channel != null) {
            byChannel.put(channel, tier);
            tier.work();
        }
        return channel;
    }

    /** The tier that has opened a segment; null when Kafka has. */
    @Nullable
    EagerTier of(FileChannel channel) {
        return byChannel.get(channel);
    }

    private EagerTier ofLogDir(Path logDir) throws IOException {
        EagerTier known = byLogDir.get(logDir);
        return known == null ? make(logDir) : known;
    }

    private synchronized EagerTier make(Path logDir) throws IOException {
        EagerTier known = byLogDir.get(logDir);
        if (known != null) {
            return known;
        }
        EagerTier tier = tier(List.of(identity(logDir)), new LogDirFailureChannel(10));
        byLogDir.put(logDir, tier);
        return tier;
    }

    private EagerTier tier(List<LogDirMeta> logDirs, LogDirFailureChannel failures) throws IOException {
        Path ssdDir = ssdOfLogDir.computeIfAbsent(
                logDirs.get(0).path(), logDir -> ssd.resolve(String.valueOf(ssdOfLogDir.size())));
        Files.createDirectories(ssdDir);
        Map<String, String> own = new HashMap<>(keys);
        own.put(TierSettings.DIRS.name(), ssdDir.toString());
        TierSettings settings = TieredSsdConfig.parse(own);
        if (settings == null) {
            throw new IllegalStateException(TierSettings.DIRS + " is set");
        }
        Zeal zeal = copies ? IN_TURN.get(turn++ % IN_TURN.size()) : Zeal.WAITS;
        return new EagerTier(settings, logDirs, failures, zeal, this::standsStill, coldReads::wake);
    }

    /** Kafka's own file; most tests do not create it. */
    private static LogDirMeta identity(Path logDir) {
        try {
            return LogDirs.identity(logDir);
        } catch (IOException e) {
            return new LogDirMeta(logDir, "directory-" + logDir.getFileName(), "cluster", "1");
        }
    }

    private synchronized void forget(EagerTier tier) throws IOException {
        boolean gone = tier.isGone();
        tier.stop();
        byLogDir.values().removeIf(other -> other == tier);
        byChannel.values().removeIf(other -> other == tier);
        tier.done().forEach((what, count) -> doneByForgotten.merge(what, count, Long::sum));
        if (gone) {
            Utils.delete(new File(tier.ssdDir().toString()));
        }
    }

    synchronized Map<String, Long> done() {
        Map<String, Long> done = new TreeMap<>(doneByForgotten);
        for (EagerTier tier : new HashSet<>(byLogDir.values())) {
            tier.done().forEach((what, count) -> done.merge(what, count, Long::sum));
        }
        return done;
    }

    private static void report(String worker, Throwable failure) {
        LOG.error("{} failed", worker, failure);
    }
}

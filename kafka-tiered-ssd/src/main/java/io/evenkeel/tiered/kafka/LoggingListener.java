/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.api.TierListener;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.api.TruncatedTail;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the broker what the tier does: one line an event in its log, and log directories that have failed. Thread safe.
 */
final class LoggingListener implements TierListener {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final AtomicLong nextPlacedOnHddNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong placedOnHddInSilence = new AtomicLong();

    private final LogDirFailureChannel failures;

    private final Map<Path, String> logDirNames;

    /**
     * @param failures where Kafka waits for log directories that have failed
     * @param logDirNames what Kafka calls them
     */
    LoggingListener(LogDirFailureChannel failures, Map<Path, String> logDirNames) {
        this.failures = failures;
        this.logDirNames = Map.copyOf(logDirNames);
    }

    /** Told at most once a minute: a full SSD concerns every partition that rolls. */
    @Override
    public void placedOnHdd(Path segment, String reason) {
        long nowNanos = System.nanoTime();
        long dueNanos = nextPlacedOnHddNanos.get();
        if (nowNanos - dueNanos >= 0 && nextPlacedOnHddNanos.compareAndSet(dueNanos, nowNanos + QUIET_NANOS)) {
            LOG.warn(
                    "A new segment goes to the HDD, because {}: {} ({} more since this was said last). Consumers of it are "
                            + "served from the HDD; if this lasts, free or add SSD space, or replace an SSD that has failed.",
                    reason,
                    segment,
                    placedOnHddInSilence.getAndSet(0));
        } else {
            placedOnHddInSilence.incrementAndGet();
            LOG.debug("A new segment goes to the HDD, because {}: {}", reason, segment);
        }
    }

    @Override
    public void copied(Path segment, long bytes) {
        LOG.debug("Copied {} bytes to the HDD: {}", bytes, segment);
    }

    @Override
    public void evicted(Path segment, long bytes) {
        LOG.debug("Freed {} bytes on the SSD: {}", bytes, segment);
    }

    @Override
    public void copyFailed(Path segment, IOException failure) {
        LOG.warn(
                "A copy to the HDD failed and will be tried again; until then the segment stays on the SSD: {} ({})",
                segment,
                failure.toString());
    }

    @Override
    public void quarantine(Path segment, IOException failure) {
        LOG.error(
                "A segment cannot be copied to the HDD and is set aside until the broker is restarted. Its records are on "
                        + "the SSD and are served from there; check both devices: {}",
                segment,
                failure);
    }

    @Override
    public void evictFailed(Path segment, IOException failure) {
        LOG.error(
                "A segment could not leave the SSD and keeps its space there; check both devices: {}",
                segment,
                failure);
    }

    @Override
    public void spilled(Path segment, long bytes) {
        LOG.warn(
                "The SSD was full in the middle of an append. The segment ({} bytes) has moved to the HDD, and the append went "
                        + "on there; something else than the tier uses the SSD's file system: {}",
                bytes,
                segment);
    }

    @Override
    public void ssdSuspect(Path ssdDir, Path file, IOException failure) {
        LOG.error(
                "The SSD at {} has failed. Nothing new goes there until the broker is restarted; what is complete on the HDDs is "
                        + "served from there. Replace it soon: {}",
                ssdDir,
                file,
                failure);
    }

    /** As Kafka does with an error of its own; its channel logs the message. */
    @Override
    public void storageError(Path logDir, Path segment, IOException failure) {
        String name = logDirNames.getOrDefault(logDir, logDir.toString());
        if (!failures.hasOfflineLogDir(name)) {
            failures.maybeAddOfflineLogDir(
                    name,
                    "A segment cannot be read, and there is no other copy of it here, or its name cannot be made durable; so its"
                            + " log directory " + name
                            + " goes offline and other replicas take over; check its disk and its SSD, then restart the"
                            + " broker: " + segment,
                    failure);
        }
    }

    @Override
    public void drained() {
        LOG.info("The SSD tier is drained: no link is left and the SSD directories are empty. It can be removed now.");
    }

    @Override
    public void givingUp(List<TruncatedTail> tails) {
        for (TruncatedTail tail : tails) {
            LOG.error(
                    "Giving up offsets from {} on of {} in {}: they were on an SSD that is lost ({} segments; the log went on to "
                            + "offset {} at least).",
                    tail.fromOffset(),
                    tail.partition().getFileName(),
                    tail.partition().getParent(),
                    tail.segments(),
                    tail.knownEndOffset());
        }
        LOG.error(
                "Gave up the tails of {} partitions, because an SSD is lost and {}=truncate. The broker says that it was not shut "
                        + "down cleanly, and replicas fetch what is missing from their leaders. Where there is no other replica, "
                        + "these records are gone, and new ones will get their offsets.",
                tails.size(),
                TierSettings.ON_MISSING);
    }

    @Override
    public void ssdClaimed(Path ssdDir, boolean replaced) {
        LOG.info(
                replaced
                        ? "The SSD at {} has been replaced by an empty one, which is used from now on."
                        : "The SSD at {} is new, and is used from now on.",
                ssdDir);
    }

    @Override
    public void leftAsItIs(Path file, IOException failure) {
        LOG.warn(
                "A file could not be removed, or written anew; that does no harm, and the next start tries again: {} ({})",
                file,
                failure.toString());
    }
}

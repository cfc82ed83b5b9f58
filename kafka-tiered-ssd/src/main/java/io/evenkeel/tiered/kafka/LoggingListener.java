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
import java.util.stream.Collectors;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one line for each event of the tier to the broker's log, and reports failed log directories to the broker.
 * Thread safe.
 */
final class LoggingListener implements TierListener {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.tiered");
    private static final int SHOWN_PATHS = 5;
    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final AtomicLong nextPlacedOnHddNanos = new AtomicLong(System.nanoTime());
    private final AtomicLong placedOnHddUnlogged = new AtomicLong();

    private final LogDirFailureChannel failures;

    private final Map<Path, String> logDirNames;
    private final Path metadataLogDir;
    private final AtomicLong nextUnreadableNanos = new AtomicLong(System.nanoTime());

    /**
     * @param failures where Kafka waits for log directories that have failed
     * @param logDirNames Kafka's names of the log directories
     * @param metadataLogDir the one that has the cluster's metadata
     */
    LoggingListener(LogDirFailureChannel failures, Map<Path, String> logDirNames, Path metadataLogDir) {
        this.failures = failures;
        this.logDirNames = Map.copyOf(logDirNames);
        this.metadataLogDir = metadataLogDir;
    }

    private static boolean isDue(AtomicLong nextNanos) {
        long nowNanos = System.nanoTime();
        long dueNanos = nextNanos.get();
        return nowNanos - dueNanos >= 0 && nextNanos.compareAndSet(dueNanos, nowNanos + QUIET_NANOS);
    }

    /** Warns at most once a minute: with a full SSD, every partition that rolls causes this event. */
    @Override
    public void placedOnHdd(Path segment, String reason) {
        if (isDue(nextPlacedOnHddNanos)) {
            LOG.warn(
                    "A new segment was placed on the HDD because {}. file={} ({} more since the last warning) Consumers"
                            + " read it from the HDD. If this continues, add or free SSD space, or replace the SSD.",
                    reason,
                    segment,
                    placedOnHddUnlogged.getAndSet(0));
        } else {
            placedOnHddUnlogged.incrementAndGet();
            LOG.debug("A new segment was placed on the HDD because {}. file={}", reason, segment);
        }
    }

    @Override
    public void copied(Path segment, long bytes) {
        TierEvents.copied(segment, bytes);
        LOG.debug("Copied a segment to the HDD. bytes={} file={}", bytes, segment);
    }

    @Override
    public void evicted(Path segment, long bytes) {
        TierEvents.evicted(segment, bytes);
        LOG.debug("Evicted a segment from the SSD. bytes={} file={}", bytes, segment);
    }

    @Override
    public void copyFailed(Path segment, IOException failure) {
        LOG.warn(
                "A copy to the HDD failed. file={} The segment stays on the SSD, and the tier tries again. {}",
                segment,
                failure.toString());
    }

    @Override
    public void quarantine(Path segment, IOException failure) {
        LOG.error(
                "A segment could not be copied to the HDD and is quarantined until the broker is restarted. file={} Its"
                        + " records are on the SSD and are served from there. Check both devices.",
                segment,
                failure);
    }

    @Override
    public void evictFailed(Path segment, IOException failure) {
        LOG.error(
                "A segment could not be evicted from the SSD. file={} It keeps its space there. Check both devices.",
                segment,
                failure);
    }

    @Override
    public void spilled(Path segment, long bytes) {
        LOG.warn(
                "The SSD was full in the middle of an append. bytes={} file={} The segment has moved to the HDD, and"
                        + " the append continued there. Another program uses the SSD's file system: move its files"
                        + " elsewhere.",
                bytes,
                segment);
    }

    @Override
    public void ssdSuspect(Path ssdDir, Path file, IOException failure) {
        LOG.error(
                "An SSD has failed. device={} file={} The tier writes no new segments to it until the broker is"
                        + " restarted, and serves segments that are complete on the HDDs from there. Replace the SSD"
                        + " soon.",
                ssdDir,
                file,
                failure);
    }

    /**
     * Other replicas take over, but not where the broker ends without the log directory: one bad sector in old records
     * would end it at each start. There, who needs these records gets what stock Kafka answers.
     */
    @Override
    public synchronized void unreadable(Path logDir, Path segment, IOException failure) {
        if (!isLast(logDir)) {
            storageError(logDir, segment, failure);
        } else if (isDue(nextUnreadableNanos)) {
            LOG.error(
                    "A segment cannot be read, and has no other copy. file={} The broker goes on, because it cannot do"
                            + " without {}. Consumers and replicas that need these records get errors or are"
                            + " disconnected, as by stock Kafka. Check the disk. If another replica has the records,"
                            + " make it the leader of the partition, and move this replica to another disk.",
                    segment,
                    logDir,
                    failure);
        }
    }

    /** Whether the broker ends when this log directory is offline. */
    private boolean isLast(Path logDir) {
        return logDir.equals(metadataLogDir)
                || logDirNames.keySet().stream()
                        .filter(other -> !other.equals(logDir))
                        .allMatch(other -> failures.hasOfflineLogDir(logDirNames.get(other)));
    }

    /** Reports it as Kafka reports an error of its own; Kafka's channel logs the message. */
    @Override
    public void storageError(Path logDir, Path segment, IOException failure) {
        String name = logDirNames.getOrDefault(logDir, logDir.toString());
        if (!failures.hasOfflineLogDir(name)) {
            failures.maybeAddOfflineLogDir(
                    name,
                    "Unrecoverable storage error (unreadable segment or failed directory fsync); taking " + name
                            + " offline. file=" + segment
                            + " Other replicas take over. Check the HDD and its SSD, then restart the broker.",
                    failure);
        }
    }

    @Override
    public void drained(List<Path> left) {
        if (left.isEmpty()) {
            LOG.info("The SSD tier is drained: no links are left and the SSD directories are empty. It can be removed"
                    + " now.");
        } else {
            LOG.warn(
                    "The SSD tier is drained: no links are left. But the SSDs still hold data that belongs to no"
                            + " segment of this broker: {} The identity files stay. Look at this data before you remove"
                            + " or reuse an SSD: it may be the only copy.",
                    shown(left));
        }
    }

    @Override
    public void drainHeldUp(List<Path> staying) {
        if (staying.isEmpty()) {
            LOG.info("The drain waits for Kafka to delete segments; nothing else is left on the SSDs.");
        } else {
            LOG.warn(
                    "The drain cannot take {} segments off the SSDs, because their log directory is offline or they are"
                            + " quarantined: {} All others have left. Stop the broker and run TieredSsdTool drain"
                            + " --offline.",
                    staying.size(),
                    shown(staying));
        }
    }

    private static String shown(List<Path> paths) {
        return paths.stream().limit(SHOWN_PATHS).map(Path::toString).collect(Collectors.joining(", "))
                + (paths.size() > SHOWN_PATHS ? ", ..." : ".");
    }

    @Override
    public void unknownOnSsd(Path dir) {
        LOG.warn(
                "A directory on an SSD belongs to none of the log directories that can be read: its name is a"
                        + " directory.id. dir={} The tier leaves it alone, and it takes space. If that log directory is"
                        + " offline or left out, it will be needed. If the directory.id was made anew, only links that"
                        + " lead there still use it.",
                dir);
    }

    @Override
    public void truncating(List<TruncatedTail> tails) {
        for (TruncatedTail tail : tails) {
            LOG.error(
                    "Truncating {} to offset {} in {}: the records from there on were on an SSD that is lost."
                            + " segments={} The log ended at offset {} or later.",
                    tail.partition().getFileName(),
                    tail.fromOffset(),
                    tail.partition().getParent(),
                    tail.segments(),
                    tail.knownEndOffset());
        }
        LOG.error(
                "Truncated {} partitions, because an SSD is lost and {}=truncate is set. The broker reports an unclean"
                        + " shutdown to the controller, and its replicas fetch the missing records from their leaders."
                        + " Where there is no other replica, these records are lost, and new records get their"
                        + " offsets.",
                tails.size(),
                TierSettings.ON_MISSING);
    }

    @Override
    public void ssdClaimed(Path ssdDir, boolean replaced) {
        LOG.info(
                replaced
                        ? "An empty SSD has replaced another one and is used from now on. device={}"
                        : "A new SSD is used from now on. device={}",
                ssdDir);
    }

    @Override
    public void leftoversRemoved(Path ssdPartition, int files, long bytes) {
        LOG.info(
                "Removed files from an SSD that no segment needs any more. files={} bytes={} directory={}",
                files,
                bytes,
                ssdPartition);
    }

    @Override
    public void leftAsItIs(Path file, IOException failure) {
        LOG.warn(
                "A file could not be opened, deleted or rewritten. file={} This does no harm; the next start tries"
                        + " again. {}",
                file,
                failure.toString());
    }
}

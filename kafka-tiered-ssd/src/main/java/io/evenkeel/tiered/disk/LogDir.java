/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One of Kafka's log directories, and the SSD directories that its new segments may go to. Thread safe.
 *
 * <p>Each log directory gets its SSDs once, so that the loss of one SSD affects as few log directories as possible.
 */
public final class LogDir {
    private final Path path;
    private final String id;
    private final Hdd hdd;
    private final List<SsdDir> ssdDirs;
    private volatile boolean suspect;

    /** @param id Kafka's directory id, which stays when the disk is mounted elsewhere */
    public LogDir(Path path, String id, Hdd hdd, List<SsdDir> ssdDirs) {
        this.path = path;
        this.id = id;
        this.hdd = hdd;
        this.ssdDirs = List.copyOf(ssdDirs);
    }

    public Path path() {
        return path;
    }

    public String id() {
        return id;
    }

    /** The HDD that it is on. */
    public Hdd hdd() {
        return hdd;
    }

    /** The fsync of a directory in it failed: no segment of it is copied or evicted until the next start. */
    public void suspect() {
        suspect = true;
    }

    public boolean isSuspect() {
        return suspect;
    }

    /** The SSD directories that its new segments may go to. */
    public List<SsdDir> ssdDirs() {
        return ssdDirs;
    }

    /** The directory for the segments of a partition on an SSD. */
    public Path onSsd(SsdDir ssd, Path partitionDir) {
        return ssd.path().resolve(id).resolve(partitionDir.getFileName());
    }

    /** Reserves {@code bytes} on the emptiest SSD that has room for {@code roomBytes}; null when none has. */
    @Nullable
    public SsdDir reserve(long bytes, long roomBytes) {
        return ssdDirs.stream()
                .sorted(Comparator.comparingLong(SsdDir::usedBytes))
                .filter(ssd -> ssd.reserve(bytes, roomBytes))
                .findFirst()
                .orElse(null);
    }

    /** True when {@link #reserve} would find an SSD now that is not about to evict. */
    public boolean hasRoom(long roomBytes, double highWatermarkRatio) {
        return ssdDirs.stream().anyMatch(ssd -> ssd.hasRoom(roomBytes) && ssd.isBelow(highWatermarkRatio));
    }

    /** True when each of its SSDs has failed: none gets new segments, whatever room it has. */
    public boolean hasNoSsdLeft() {
        return ssdDirs.stream().allMatch(SsdDir::isSuspect);
    }

    /**
     * Deals the SSDs to the log directories in turn: with more log directories than SSDs several share one, with more
     * SSDs one log directory has several.
     */
    public static List<SsdDir> dealt(List<SsdDir> ssds, int index, int logDirCount) {
        if (ssds.isEmpty()) {
            return List.of();
        }
        if (ssds.size() <= logDirCount) {
            return List.of(ssds.get(index % ssds.size()));
        }
        return IntStream.range(0, ssds.size())
                .filter(i -> i % logDirCount == index)
                .mapToObj(ssds::get)
                .toList();
    }

    @Override
    public String toString() {
        return path.toString();
    }
}

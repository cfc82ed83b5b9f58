/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import io.kafkapatches.tiered.SegmentRequest;
import io.kafkapatches.tiered.TieredSsd;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.jspecify.annotations.Nullable;

/**
 * The static door through which woven broker code reaches the SSD tier. Thread safe.
 *
 * <p>Until {@link #start} has switched the tier on, every method does nothing and the broker runs as stock.
 */
public final class TieredSsdHooks {
    /** The segment.bytes of the log whose segment this thread is opening. */
    private static final ThreadLocal<Long> SEGMENT_BYTES = new ThreadLocal<>();

    private static volatile Map<String, String> overrides = Map.of();
    private static volatile @Nullable TieredSsd tier;

    private TieredSsdHooks() {}

    /** Keys that the agent's {@code config=<file>} adds to the broker's own config, or overrides in it. */
    public static void overrides(Map<String, String> keys) {
        overrides = Map.copyOf(keys);
    }

    /**
     * Called on entry to {@code LogManager.apply}, before any log is loaded.
     *
     * @throws org.apache.kafka.common.config.ConfigException when a {@code tiered.ssd.*} key is unknown or impossible
     * @throws IOException when the disks do not hold what they promise
     */
    public static void start(AbstractConfig config) throws IOException {
        tier = TierStart.run(config.originals(), overrides);
    }

    /** Called on entry to {@code LogSegment.open}: the next {@link #open} of this thread is for a log with this config. */
    public static void opening(AbstractConfig config) {
        if (tier != null) {
            SEGMENT_BYTES.set(config.getInt("segment.bytes").longValue());
        }
    }

    /** Called on exit from {@code LogSegment.open}, also when it throws. */
    public static void opened() {
        SEGMENT_BYTES.remove();
    }

    /**
     * Called on entry to {@code FileRecords.openChannel}.
     *
     * @return the channel to use instead of stock's, or null to let stock open the file
     */
    public static @Nullable FileChannel open(
            File file, boolean mutable, boolean fileAlreadyExists, int initFileSize, boolean preallocate)
            throws IOException {
        TieredSsd on = tier;
        Long segmentBytes = SEGMENT_BYTES.get();
        if (on == null || !mutable || segmentBytes == null) {
            return null;
        }
        long preallocateBytes = preallocate && !fileAlreadyExists ? initFileSize : 0;
        return on.open(
                absolute(file), new SegmentRequest(segmentBytes, preallocateBytes, null, SegmentRequest.UNKNOWN_TIME));
    }

    /** Called on entry to {@code FileRecords.renameTo}: until {@link #renamed}, nothing else touches the file's path. */
    public static void renaming(FileChannel channel) {
        TieredSsd on = tier;
        if (on != null) {
            on.renaming(channel);
        }
    }

    /** Called on exit from {@code FileRecords.renameTo}, also when it throws; Kafka then believes in {@code file}. */
    public static void renamed(FileChannel channel, File file) {
        TieredSsd on = tier;
        if (on != null) {
            on.renamed(channel, absolute(file));
        }
    }

    /** Called on exit from {@code FileRecords.updateParentDir}: the partition's directory has been renamed. */
    public static void moved(FileChannel channel, File file) {
        renamed(channel, file);
    }

    /** Called on exit from {@code FileRecords.deleteIfExists} when it did not throw: the HDD path is gone. */
    public static void deleted(FileChannel channel) throws IOException {
        TieredSsd on = tier;
        if (on != null) {
            on.deleted(channel);
        }
    }

    private static Path absolute(File file) {
        return file.toPath().toAbsolutePath().normalize();
    }
}

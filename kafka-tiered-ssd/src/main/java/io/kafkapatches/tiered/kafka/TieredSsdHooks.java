/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered.kafka;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.jspecify.annotations.Nullable;

/**
 * The static door through which woven broker code reaches the SSD tier. Thread safe.
 *
 * <p>Until {@link #start} has switched the tier on, every method does nothing and the broker runs as stock.
 */
public final class TieredSsdHooks {
    private TieredSsdHooks() {}

    /** Keys that the agent's {@code config=<file>} adds to the broker's own config, or overrides in it. */
    public static void overrides(Map<String, String> keys) {}

    /**
     * Called on entry to {@code LogManager.apply}, before any log is loaded.
     *
     * @throws org.apache.kafka.common.config.ConfigException when a {@code tiered.ssd.*} key is unknown or impossible
     * @throws IOException when the disks do not hold what they promise
     */
    public static void start(AbstractConfig config) throws IOException {}

    /** Called on entry to {@code LogSegment.open}: the next {@link #open} of this thread is for a log with this config. */
    public static void opening(AbstractConfig config) {}

    /** Called on exit from {@code LogSegment.open}, also when it throws. */
    public static void opened() {}

    /**
     * Called on entry to {@code FileRecords.openChannel}.
     *
     * @return the channel to use instead of stock's, or null to let stock open the file
     */
    public static @Nullable FileChannel open(
            File file, boolean mutable, boolean fileAlreadyExists, int initFileSize, boolean preallocate)
            throws IOException {
        return null;
    }

    /** Called on entry to {@code FileRecords.renameTo}: until {@link #renamed}, nothing else touches the file's path. */
    public static void renaming(FileChannel channel) {}

    /** Called on exit from {@code FileRecords.renameTo}, also when it throws; Kafka then believes in {@code file}. */
    public static void renamed(FileChannel channel, File file) {}

    /** Called on exit from {@code FileRecords.updateParentDir}: the partition's directory has been renamed. */
    public static void moved(FileChannel channel, File file) {}

    /** Called on exit from {@code FileRecords.deleteIfExists} when it did not throw: the HDD path is gone. */
    public static void deleted(FileChannel channel) throws IOException {}
}

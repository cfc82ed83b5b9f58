/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.function.LongSupplier;

/**
 * The data of each partition that a power cut would take: the bytes that the kernel has not written to the device, and
 * the time between the append of the first of them and the partition's last acknowledgement.
 *
 * <p>The bytes are too high by up to a folio, the unit of the page cache, which is mostly as large as an append. One
 * new byte makes a whole folio dirty, with all bytes in it that were flushed long ago. The time therefore leaves out
 * the first folio. The time is too high by up to the interval between two scans. Used by one thread.
 */
final class Unwritten implements AutoCloseable {
    static final long FOLIO_BYTES = 128 << 10;

    private final DirtyPages kernel = new DirtyPages();
    private final List<Partition> partitions = new ArrayList<>();

    /**
     * The highest values of any partition, each taken by itself.
     *
     * @param spanMs from the append of the first byte to the partition's last acknowledgement
     */
    record Most(long bytes, long spanMs) {}

    /** The end of a partition over time; positions count from the first scan on, over all segments. */
    private static final class Partition {
        private final Path dir;
        private final LongSupplier acknowledgedNanos;
        private final Map<Path, Long> segmentBytes = new HashMap<>();
        /** A position at which the partition ended, and the last instant at which a scan found that end. */
        private final Deque<long[]> endsAndNanos = new ArrayDeque<>();

        Partition(Path dir, LongSupplier acknowledgedNanos) {
            this.dir = dir;
            this.acknowledgedNanos = acknowledgedNanos;
        }

        long appended() {
            return segmentBytes.values().stream().mapToLong(Long::longValue).sum();
        }

        /** The time from the first append after a position to an acknowledgement. */
        long spanNanos(long position, long now, long acknowledged) {
            long end = appended();
            if (!endsAndNanos.isEmpty() && endsAndNanos.getLast()[0] == end) {
                endsAndNanos.removeLast();
            }
            endsAndNanos.addLast(new long[] {end, now});
            long[] first = endsAndNanos.removeFirst();
            while (!endsAndNanos.isEmpty() && endsAndNanos.getFirst()[0] <= position) {
                first = endsAndNanos.removeFirst();
            }
            endsAndNanos.addFirst(first);
            return end <= position ? 0 : acknowledged - first[1];
        }
    }

    /** @param acknowledgedNanos the instant of the last acknowledgement, by partition */
    Unwritten(List<Path> partitionDirs, IntToLongFunction acknowledgedNanos) throws IOException {
        for (int i = 0; i < partitionDirs.size(); i++) {
            int partition = i;
            partitions.add(new Partition(partitionDirs.get(i), () -> acknowledgedNanos.applyAsLong(partition)));
        }
    }

    Most scan() throws IOException {
        long bytes = 0;
        long spanNanos = 0;
        for (Partition partition : partitions) {
            long acknowledged = partition.acknowledgedNanos.getAsLong();
            long now = System.nanoTime();
            long dirty = 0;
            try (DirectoryStream<Path> segments = Files.newDirectoryStream(partition.dir, "*.log")) {
                for (Path segment : segments) {
                    dirty += kernel.bytes(segment);
                    partition.segmentBytes.put(segment, Files.size(segment));
                }
            } catch (NoSuchFileException deleted) {
                // retention has deleted the segment, long after it was written
            }
            bytes = Math.max(bytes, dirty);
            spanNanos = Math.max(
                    spanNanos, partition.spanNanos(partition.appended() - dirty + FOLIO_BYTES, now, acknowledged));
        }
        return new Most(bytes, spanNanos / 1_000_000);
    }

    @Override
    public void close() {
        kernel.close();
    }
}

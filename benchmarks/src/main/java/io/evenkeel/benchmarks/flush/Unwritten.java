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
 * How much of each partition is not on the device, as the kernel sees it, and how much time lies between its first byte
 * and the partition's last acknowledgement: what a power cut would take. The bytes err upwards by a folio, which is
 * what the page cache keeps as one, mostly as large as an append: a new byte in it makes all of it dirty, those that
 * were forced long ago, too. So the time does not count the first folio. It errs upwards by the time from one look to
 * the next. One thread looks.
 */
final class Unwritten implements AutoCloseable {
    static final long FOLIO_BYTES = 128 << 10;

    private final DirtyPages kernel = new DirtyPages();
    private final List<Partition> partitions = new ArrayList<>();

    /**
     * The most of any partition, each.
     *
     * @param spanMs from when the first byte was appended to when something was acknowledged last
     */
    record Most(long bytes, long spanMs) {}

    /** What was appended when; positions count from the first look on, over all segments. */
    private static final class Partition {
        private final Path dir;
        private final LongSupplier acknowledgedNanos;
        private final Map<Path, Long> segmentBytes = new HashMap<>();
        /** Where it ended, and when it was last seen to end there. */
        private final Deque<long[]> endsAndNanos = new ArrayDeque<>();

        Partition(Path dir, LongSupplier acknowledgedNanos) {
            this.dir = dir;
            this.acknowledgedNanos = acknowledgedNanos;
        }

        long appended() {
            return segmentBytes.values().stream().mapToLong(Long::longValue).sum();
        }

        /** The time from the first append behind a position to an acknowledgement. */
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

    /** @param acknowledgedNanos when something was acknowledged last, by partition */
    Unwritten(List<Path> partitionDirs, IntToLongFunction acknowledgedNanos) throws IOException {
        for (int i = 0; i < partitionDirs.size(); i++) {
            int partition = i;
            partitions.add(new Partition(partitionDirs.get(i), () -> acknowledgedNanos.applyAsLong(partition)));
        }
    }

    Most look() throws IOException {
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
                // by retention, long after it was written
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

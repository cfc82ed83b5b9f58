/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.benchmarks.flush;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How much of each partition is not on the device, and how much time lies between its first and last byte, as the kernel sees it. It errs upwards by a folio (what the
 * page cache keeps as one, mostly as large as an append) and by the time from one look to the next. One thread looks.
 */
final class Unwritten implements AutoCloseable {
    private final DirtyPages kernel = new DirtyPages();
    private final Map<Path, Partition> partitions = new HashMap<>();

    /**
     * The most of any partition, each.
     *
     * @param spanMs from when the first byte was appended to when the last one was
     */
    record Most(long bytes, long spanMs) {}

    /** What was appended when; positions count from the first look on, over all segments. */
    private static final class Partition {
        private final Map<Path, Long> segmentBytes = new HashMap<>();
        private final Deque<long[]> endsAndNanos = new ArrayDeque<>();

        long appended() {
            return segmentBytes.values().stream().mapToLong(Long::longValue).sum();
        }

        /** The time from the first to the last append behind a position. */
        long spanNanos(long position, long now) {
            long end = appended();
            if (endsAndNanos.isEmpty() || endsAndNanos.getLast()[0] < end) {
                endsAndNanos.addLast(new long[] {end, now});
            }
            long[] first = endsAndNanos.removeFirst();
            while (!endsAndNanos.isEmpty() && endsAndNanos.getFirst()[0] <= position) {
                first = endsAndNanos.removeFirst();
            }
            endsAndNanos.addFirst(first);
            return end <= position ? 0 : endsAndNanos.getLast()[1] - first[1];
        }
    }

    Unwritten(List<Path> partitionDirs) throws IOException {
        partitionDirs.forEach(dir -> partitions.put(dir, new Partition()));
    }

    Most look() throws IOException {
        long bytes = 0;
        long spanNanos = 0;
        for (Map.Entry<Path, Partition> entry : partitions.entrySet()) {
            Partition partition = entry.getValue();
            long dirty = 0;
            try (DirectoryStream<Path> segments = Files.newDirectoryStream(entry.getKey(), "*.log")) {
                for (Path segment : segments) {
                    dirty += kernel.bytes(segment);
                    partition.segmentBytes.put(segment, Files.size(segment));
                }
            } catch (NoSuchFileException deleted) {
                // by retention, long after it was written
            }
            bytes = Math.max(bytes, dirty);
            spanNanos = Math.max(spanNanos, partition.spanNanos(partition.appended() - dirty, System.nanoTime()));
        }
        return new Most(bytes, spanNanos / 1_000_000);
    }

    @Override
    public void close() {
        kernel.close();
    }
}

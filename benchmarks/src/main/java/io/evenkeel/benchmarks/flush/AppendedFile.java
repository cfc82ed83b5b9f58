/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.flush;

import io.evenkeel.benchmarks.lab.Latencies;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A file that one thread appends to and another thread pushes to the device. */
final class AppendedFile implements AutoCloseable {
    /** The size of the part that is pushed at a time. */
    static final int PART_BYTES = 2 << 20;

    private static final int PARTS_PER_FLUSH = 8;

    private final Path path;
    private final FileChannel channel;
    private final Way way;
    private final @Nullable SyncFileRange foreign;
    private final int descriptor;
    private volatile long end;
    private long pushed; // the pushing thread's
    private long parts; // as above

    AppendedFile(Path path, Way way) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(
                path, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
        this.way = way;
        this.foreign = way == Way.EARLY ? new SyncFileRange() : null;
        this.descriptor = SyncFileRange.descriptor(path);
    }

    void append(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        end = channel.position();
    }

    boolean isDue() {
        return way != Way.KERNEL && end - pushed >= PART_BYTES;
    }

    /**
     * Pushes the oldest part, or with {@link Way#WHOLE_FILE} the whole file.
     *
     * @param starts records how long it took until the kernel had begun to write
     * @param flushes records how long it took until the data was durable
     */
    void push(Latencies starts, Latencies flushes) throws IOException {
        long before = System.nanoTime();
        long until = end;
        switch (way) {
            case KERNEL -> throw new IllegalStateException("the kernel writes by itself; there is nothing to push");
            case WHOLE_FILE -> {
                channel.force(false);
                pushed = until;
                flushes.record(System.nanoTime() - before);
            }
            case RANGE -> {
                channel.map(MapMode.READ_WRITE, pushed, PART_BYTES).force();
                pushed += PART_BYTES;
                flushes.record(System.nanoTime() - before);
            }
            case EARLY -> {
                Objects.requireNonNull(foreign).start(descriptor, pushed, PART_BYTES);
                pushed += PART_BYTES;
                starts.record(System.nanoTime() - before);
                if (++parts % PARTS_PER_FLUSH == 0) {
                    long begin = System.nanoTime();
                    channel.force(false);
                    flushes.record(System.nanoTime() - begin);
                }
            }
        }
    }

    /** Closes the file and deletes it, so that the kernel need not write the rest of it. */
    @Override
    public void close() throws IOException {
        channel.close();
        Files.delete(path);
    }
}

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

/** A file that one thread appends to and another one pushes to the device. */
final class AppendedFile implements AutoCloseable {
    /** How much is pushed at a time. */
    static final int PART_BYTES = 2 << 20;

    private static final int PARTS_PER_FORCE = 8;

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
     * Pushes the oldest part, or with {@link Way#WHOLE_FILE} all that is there.
     *
     * @param starts how long it took to have the kernel begin
     * @param forces how long it took to have it durable
     */
    void push(Latencies starts, Latencies forces) throws IOException {
        long before = System.nanoTime();
        long until = end;
        switch (way) {
            case KERNEL -> throw new IllegalStateException("the kernel is not asked");
            case WHOLE_FILE -> {
                channel.force(false);
                pushed = until;
                forces.record(System.nanoTime() - before);
            }
            case RANGE -> {
                channel.map(MapMode.READ_WRITE, pushed, PART_BYTES).force();
                pushed += PART_BYTES;
                forces.record(System.nanoTime() - before);
            }
            case EARLY -> {
                Objects.requireNonNull(foreign).start(descriptor, pushed, PART_BYTES);
                pushed += PART_BYTES;
                starts.record(System.nanoTime() - before);
                if (++parts % PARTS_PER_FORCE == 0) {
                    long begin = System.nanoTime();
                    channel.force(false);
                    forces.record(System.nanoTime() - begin);
                }
            }
        }
    }

    /** Deletes it, too: with it goes what would still have to be written. */
    @Override
    public void close() throws IOException {
        channel.close();
        Files.delete(path);
    }
}

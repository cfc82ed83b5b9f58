/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.openjdk;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;

import io.evenkeel.tiered.FakeBroker;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.HashSet;
import java.util.Set;

/**
 * Opens files as segments of a tier on two directories. Thread safe.
 *
 * <p>Each file becomes the segment of a partition of its own, on the SSD, and its name a link to that segment.
 */
public final class Segments {
    private static final long CAPACITY_BYTES = 64L << 30;
    private static final FakeBroker BROKER = start();
    private static int partitions;

    private Segments() {}

    private static FakeBroker start() {
        try {
            return new FakeBroker(Files.createTempDirectory("tier"), 1, 1, CAPACITY_BYTES);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link FileChannel#open(Path, OpenOption...)}. */
    public static FileChannel open(Path file, OpenOption... options) throws IOException {
        return open(file, Set.of(options));
    }

    /**
     * As {@link FileChannel#open(Path, Set, FileAttribute...)}. A segment is always opened for reading and writing; to
     * append means to begin at the end, as Kafka does.
     */
    public static synchronized FileChannel open(
            Path file, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        Set<OpenOption> others = new HashSet<>(options);
        boolean truncate = others.remove(TRUNCATE_EXISTING) && !options.equals(Set.of(READ));
        if (others.remove(DELETE_ON_CLOSE)) {
            file.toFile().deleteOnExit();
        }
        FileChannel asStock = FileChannel.open(file, others, attributes);
        if (!Files.isRegularFile(file)) {
            return asStock;
        }
        asStock.close();
        FileChannel channel = BROKER.open(Files.isSymbolicLink(file) ? Files.readSymbolicLink(file) : segmentOf(file));
        if (truncate) {
            channel.truncate(0);
        }
        return others.contains(APPEND) ? channel : channel.position(0);
    }

    /** Puts a segment with the same content in the place of a file. */
    private static Path segmentOf(Path file) throws IOException {
        Path segment = FakeBroker.segment(BROKER.partition("file-" + partitions++), 0);
        try (FileChannel from = FileChannel.open(file, READ);
                FileChannel to = BROKER.open(segment)) {
            while (from.transferTo(from.position(), Long.MAX_VALUE, to) > 0) {
                from.position(to.position());
            }
        }
        Files.delete(file);
        Files.createSymbolicLink(file, segment);
        return segment;
    }

    /** As a stream opens a file. */
    static FileChannel open(File file, OpenOption... options) throws FileNotFoundException {
        try {
            return open(file.toPath(), options);
        } catch (IOException e) {
            throw (FileNotFoundException) new FileNotFoundException(file + ": " + e).initCause(e);
        }
    }
}

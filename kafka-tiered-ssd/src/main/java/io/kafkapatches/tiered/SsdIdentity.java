/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The mark that tells whose an SSD directory is. Stateless.
 *
 * <p>It is written once, into an empty directory; a directory with the mark of another broker, or with files but without a
 * mark, is refused.
 */
final class SsdIdentity {
    static final String FILE_NAME = "tiered-ssd.properties";

    private static final String CLUSTER_ID = "cluster.id";
    private static final String NODE_ID = "node.id";
    private static final List<String> ALLOWED_BESIDE = List.of("lost+found");

    private SsdIdentity() {}

    /**
     * Makes sure that {@code ssd} belongs to {@code broker}, or to nobody. Changes nothing.
     *
     * @throws IOException that says what is wrong with the directory and what to do
     */
    static void check(Path ssd, LogDirIdentity broker) throws IOException {
        if (!Files.isDirectory(ssd)) {
            throw new IOException(
                    "The SSD directory does not exist or is not a directory; is the SSD mounted? If it is, "
                            + "create the directory and give it to the broker's user: " + ssd);
        }
        if (!Files.isWritable(ssd)) {
            throw new IOException(
                    "The broker may not write to its SSD directory; check its owner, its mode, and whether "
                            + "the file system is mounted read-only: " + ssd);
        }
        Path mark = ssd.resolve(FILE_NAME);
        if (Files.exists(mark)) {
            requireSame(mark, broker);
        } else {
            requireEmpty(ssd);
        }
    }

    /** Puts the mark into a directory that has none. */
    static void claim(FileLayer files, Path ssd, LogDirIdentity broker) throws IOException {
        Path mark = ssd.resolve(FILE_NAME);
        if (!Files.exists(mark)) {
            write(files, mark, broker);
        }
    }

    private static void requireSame(Path mark, LogDirIdentity broker) throws IOException {
        Properties found = new Properties();
        try (Reader reader = Files.newBufferedReader(mark)) {
            found.load(reader);
        }
        String clusterId = found.getProperty(CLUSTER_ID, "none");
        String nodeId = found.getProperty(NODE_ID, "none");
        if (!clusterId.equals(broker.clusterId()) || !nodeId.equals(broker.nodeId())) {
            throw new IOException("The SSD directory belongs to node " + nodeId + " of cluster " + clusterId
                    + ", but this is node " + broker.nodeId() + " of cluster " + broker.clusterId()
                    + "; mount the right SSD, or empty this one if its data is not needed: " + mark);
        }
    }

    private static void requireEmpty(Path ssd) throws IOException {
        try (Stream<Path> entries = Files.list(ssd)) {
            List<String> foreign = entries.map(entry -> ssd.relativize(entry).toString())
                    .filter(name -> !ALLOWED_BESIDE.contains(name) && !name.equals(FILE_NAME + LogFileName.COPY_SUFFIX))
                    .limit(3)
                    .toList();
            if (!foreign.isEmpty()) {
                throw new IOException("The SSD directory has no " + FILE_NAME + " but is not empty (" + foreign
                        + "); give the tier a directory of its own: " + ssd);
            }
        }
    }

    private static void write(FileLayer files, Path mark, LogDirIdentity broker) throws IOException {
        String text = "# Whose SSD this is. Do not copy, edit or delete this file.\n" + CLUSTER_ID + "="
                + broker.clusterId() + "\n" + NODE_ID + "=" + broker.nodeId() + "\n";
        Path temporary = LogFileName.withSuffix(mark, LogFileName.COPY_SUFFIX);
        try (FileChannel channel = files.open(temporary, CREATE, TRUNCATE_EXISTING, WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            files.force(channel);
        }
        files.rename(temporary, mark);
        files.syncDirectory(mark.resolveSibling(""));
    }
}

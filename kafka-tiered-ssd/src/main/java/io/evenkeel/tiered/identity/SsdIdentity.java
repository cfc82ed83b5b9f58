/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import io.evenkeel.tiered.api.LogDirMeta;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * What an SSD directory says of itself. Immutable.
 *
 * @param id stays with the SSD wherever it is mounted; a new one when it has none yet
 * @param generation the last start of the broker that this SSD took part in; 0 when it never did
 */
public record SsdIdentity(Path path, Condition condition, String id, long generation) {
    /** What is at the path. */
    enum Condition {
        /** Nothing. */
        MISSING,
        /** An empty directory. */
        BLANK,
        /** A directory with this broker's mark. */
        OURS
    }

    public static final String FILE_NAME = IdentityFile.FILE_NAME;

    private static final String CLUSTER_ID = "cluster.id";
    private static final String NODE_ID = "node.id";
    private static final String SSD_ID = "ssd.id";
    private static final String GENERATION = "generation";
    private static final Set<String> ALLOWED_BESIDE = Set.of("lost+found", IdentityFile.TEMPORARY_NAME);
    private static final int SHOWN_FILES = 3;

    /**
     * Looks at a directory that should belong to {@code broker}, or to nobody.
     *
     * @throws IOException that says what is wrong and what to do, when it belongs to somebody else or cannot be read
     */
    static SsdIdentity read(Path ssd, LogDirMeta broker) throws IOException {
        try {
            if (!Files.readAttributes(ssd, BasicFileAttributes.class).isDirectory()) {
                throw new IOException(ssd + " is not a directory; give the tier a directory of its own.");
            }
        } catch (NoSuchFileException e) {
            return new SsdIdentity(ssd, Condition.MISSING, newId(), 0);
        }
        IdentityFile mark = IdentityFile.read(ssd);
        if (mark == null) {
            requireEmpty(ssd);
            return new SsdIdentity(ssd, Condition.BLANK, newId(), 0);
        }
        requireSameBroker(ssd, mark.values(), broker);
        String id = mark.values().get(SSD_ID);
        return new SsdIdentity(ssd, Condition.OURS, id == null ? newId() : id, mark.number(GENERATION, ssd));
    }

    /**
     * Makes sure that {@code ssd} is there, can be written to and belongs to {@code broker}, or to nobody. Changes
     * nothing.
     *
     * @throws IOException that says what is wrong with the directory and what to do
     */
    public static void check(Path ssd, LogDirMeta broker) throws IOException {
        if (read(ssd, broker).condition() == Condition.MISSING) {
            throw new IOException("There is no directory " + ssd + "; is the SSD mounted?");
        }
        if (!Files.isWritable(ssd)) {
            throw new IOException("The broker may not write to " + ssd + "; check its owner, its mode, and whether the "
                    + "file system is mounted read-only.");
        }
    }

    public boolean isThere() {
        return condition != Condition.MISSING;
    }

    /** The mark of this SSD for the start of that number. */
    IdentityFile mark(LogDirMeta broker, long newGeneration) {
        return new IdentityFile(Map.of(
                CLUSTER_ID,
                broker.clusterId(),
                NODE_ID,
                broker.nodeId(),
                SSD_ID,
                id,
                GENERATION,
                Long.toString(newGeneration)));
    }

    private static void requireSameBroker(Path ssd, Map<String, String> found, LogDirMeta broker) throws IOException {
        String clusterId = found.getOrDefault(CLUSTER_ID, "none");
        String nodeId = found.getOrDefault(NODE_ID, "none");
        if (!clusterId.equals(broker.clusterId()) || !nodeId.equals(broker.nodeId())) {
            throw new IOException(ssd + " is foreign: it belongs to node " + nodeId + " of cluster " + clusterId
                    + ", but this is node " + broker.nodeId() + " of cluster " + broker.clusterId()
                    + "; mount the right SSD, or empty this one if nobody needs its data.");
        }
    }

    private static void requireEmpty(Path ssd) throws IOException {
        try (Stream<Path> entries = Files.list(ssd)) {
            List<String> foreign = entries.map(entry -> ssd.relativize(entry).toString())
                    .filter(name -> !ALLOWED_BESIDE.contains(name))
                    .limit(SHOWN_FILES)
                    .toList();
            if (!foreign.isEmpty()) {
                throw new IOException(ssd + " is foreign: it has no " + FILE_NAME + " but is not empty (" + foreign
                        + "); give the tier a directory of its own.");
            }
        }
    }

    /** As Kafka's ids of clusters and directories look. */
    private static String newId() {
        UUID id = UUID.randomUUID();
        byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
                .putLong(id.getMostSignificantBits())
                .putLong(id.getLeastSignificantBits())
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.file.FileReads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The state of an SSD directory, by its identity file. Immutable.
 *
 * @param id stays with the SSD wherever it is mounted; a new one when it has none yet
 * @param generation the last start of the broker that this SSD took part in; 0 when it never did
 * @param logDirs the newest start that a log directory is known to have taken part in with this SSD, by directory id;
 *     only of log directories that have files here
 */
public record SsdIdentity(Path path, Condition condition, String id, long generation, Map<String, Long> logDirs) {
    /** What the path is. */
    enum Condition {
        /** Nothing. */
        MISSING,
        /** An empty directory. */
        BLANK,
        /** A directory with this broker's identity file. */
        OURS
    }

    public static final String FILE_NAME = IdentityFile.FILE_NAME;

    private static final String CLUSTER_ID = "cluster.id";
    private static final String NODE_ID = "node.id";
    private static final String SSD_ID = "ssd.id";
    private static final String GENERATION = "generation";
    private static final String LOG_DIR_PREFIX = "log.dir.";
    private static final int SHOWN_FILES = 3;

    public SsdIdentity {
        logDirs = Map.copyOf(logDirs);
    }

    /**
     * Reads a directory that should be empty, or belong to {@code broker}.
     *
     * @throws IOException when it belongs to another broker or cannot be read; the message says what is wrong and what
     *     to do
     */
    static SsdIdentity read(Path ssd, LogDirMeta broker) throws IOException {
        try {
            if (!Files.readAttributes(ssd, BasicFileAttributes.class).isDirectory()) {
                throw new IOException(ssd + " is not a directory; give the tier a directory of its own.");
            }
        } catch (NoSuchFileException e) {
            return new SsdIdentity(ssd, Condition.MISSING, newId(), 0, Map.of());
        }
        IdentityFile file = IdentityFile.read(ssd);
        if (file == null) {
            requireEmpty(ssd);
            return new SsdIdentity(ssd, Condition.BLANK, newId(), 0, Map.of());
        }
        requireSameBroker(ssd, file.values(), broker);
        String id = file.values().get(SSD_ID);
        return new SsdIdentity(
                ssd, Condition.OURS, id == null ? newId() : id, file.number(GENERATION, ssd), logDirs(ssd, file));
    }

    private static Map<String, Long> logDirs(Path ssd, IdentityFile file) throws IOException {
        Map<String, Long> logDirs = new HashMap<>();
        for (String key : file.values().keySet()) {
            if (key.startsWith(LOG_DIR_PREFIX)) {
                String directoryId = key.substring(LOG_DIR_PREFIX.length());
                if (!FileReads.children(ssd.resolve(directoryId)).isEmpty()) {
                    logDirs.put(directoryId, file.number(key, ssd));
                }
            }
        }
        return logDirs;
    }

    /**
     * Checks that {@code ssd} is there, and is empty or belongs to {@code broker}. Changes nothing.
     *
     * @throws IOException when it does not; the message says what is wrong and what to do
     */
    public static void check(Path ssd, LogDirMeta broker) throws IOException {
        if (read(ssd, broker).condition() == Condition.MISSING) {
            throw new IOException("There is no directory " + ssd + "; is the SSD mounted?");
        }
    }

    public boolean isThere() {
        return condition != Condition.MISSING;
    }

    /** The same SSD after a start of that number, in which it also learnt of these log directories. */
    SsdIdentity at(long newGeneration, Map<String, Long> tookPart) {
        Map<String, Long> known = new HashMap<>(logDirs);
        known.putAll(tookPart);
        return new SsdIdentity(path, condition, id, newGeneration, known);
    }

    /** The same SSD after a start of that number, with no file of any log directory. */
    SsdIdentity emptied(long newGeneration) {
        return new SsdIdentity(path, condition, id, newGeneration, Map.of());
    }

    IdentityFile file(LogDirMeta broker) {
        Map<String, String> values = new HashMap<>();
        values.put(CLUSTER_ID, broker.clusterId());
        values.put(NODE_ID, broker.nodeId());
        values.put(SSD_ID, id);
        values.put(GENERATION, Long.toString(generation));
        logDirs.forEach((directoryId, tookPart) -> values.put(LOG_DIR_PREFIX + directoryId, tookPart.toString()));
        return new IdentityFile(values);
    }

    private static void requireSameBroker(Path ssd, Map<String, String> found, LogDirMeta broker) throws IOException {
        String clusterId = found.getOrDefault(CLUSTER_ID, "none");
        String nodeId = found.getOrDefault(NODE_ID, "none");
        if (!clusterId.equals(broker.clusterId()) || !nodeId.equals(broker.nodeId())) {
            throw new IOException(ssd + " is foreign: it belongs to node " + nodeId + " of cluster " + clusterId
                    + ", but this is node " + broker.nodeId() + " of cluster " + broker.clusterId()
                    + "; mount the right SSD, or empty this one if its data is not needed.");
        }
    }

    private static void requireEmpty(Path ssd) throws IOException {
        try (Stream<Path> entries = Files.list(ssd)) {
            List<String> foreign = entries.filter(SsdRemainder::isData)
                    .map(entry -> ssd.relativize(entry).toString())
                    .limit(SHOWN_FILES)
                    .toList();
            if (!foreign.isEmpty()) {
                throw new IOException(ssd + " is foreign: it has no " + FILE_NAME + " but is not empty (" + foreign
                        + "). If this is a new SSD, give the tier an empty directory of its own. If it was an SSD of"
                        + " this broker, delete nothing: these files may be the only copy.");
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

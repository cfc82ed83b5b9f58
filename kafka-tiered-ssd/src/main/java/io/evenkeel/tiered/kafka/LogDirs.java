/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.tiered.api.LogDirMeta;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds the broker's log directories and what Kafka wrote into them when they were formatted. Stateless. */
public final class LogDirs {
    private static final Logger LOG = LoggerFactory.getLogger(LogDirs.class);

    /** A cluster that came from ZooKeeper may still have it. */
    private static final String ID_IN_VERSION_0 = "broker.id";

    private LogDirs() {}

    /** The readable log directories in the order of the config. Kafka itself reports the others. */
    static List<LogDirMeta> read(Map<String, ?> brokerConfig) {
        List<LogDirMeta> found = new ArrayList<>();
        for (Path path : names(brokerConfig).keySet()) {
            try {
                found.add(identity(path));
            } catch (IOException e) {
                LOG.warn("Could not read a log directory; the SSD tier leaves it out. file={} {}", path, e.toString());
            }
        }
        return found;
    }

    /** The log directories in the order of the config, each with Kafka's name for it. */
    public static Map<Path, String> names(Map<String, ?> brokerConfig) {
        Map<Path, String> names = new LinkedHashMap<>();
        for (String dir : configured(brokerConfig)) {
            names.put(Path.of(dir).toAbsolutePath().normalize(), new File(dir).getAbsolutePath());
        }
        return names;
    }

    /** The log directory that has the cluster's metadata: a broker cannot go on without it. */
    static Path ofMetadata(Map<String, ?> brokerConfig) {
        Object dir = brokerConfig.get("metadata.log.dir");
        return dir == null
                ? names(brokerConfig).keySet().iterator().next()
                : Path.of(dir.toString().trim()).toAbsolutePath().normalize();
    }

    private static List<String> configured(Map<String, ?> brokerConfig) {
        Object dirs = brokerConfig.get("log.dirs");
        if (dirs == null) {
            dirs = brokerConfig.get("log.dir");
        }
        if (dirs == null) {
            dirs = "/tmp/kafka-logs"; // Kafka's default
        }
        List<?> listed =
                dirs instanceof List<?> list ? list : List.of(dirs.toString().split(",", -1));
        return listed.stream()
                .map(dir -> dir.toString().trim())
                .filter(dir -> !dir.isEmpty())
                .toList();
    }

    /**
     * What Kafka wrote into one log directory.
     *
     * @throws IOException when it cannot be read or is incomplete
     */
    public static LogDirMeta identity(Path path) throws IOException {
        Properties meta = new Properties();
        Path file = path.resolve("meta.properties");
        try (Reader reader = Files.newBufferedReader(file)) {
            meta.load(reader);
        }
        return new LogDirMeta(
                path,
                require(meta, file, "directory.id"),
                require(meta, file, "cluster.id"),
                require(meta, file, meta.containsKey("node.id") ? "node.id" : ID_IN_VERSION_0));
    }

    private static String require(Properties meta, Path file, String key) throws IOException {
        String value = meta.getProperty(key);
        if (value == null || value.isBlank()) {
            throw new IOException("There is no " + key + " in " + file);
        }
        return value.trim();
    }
}

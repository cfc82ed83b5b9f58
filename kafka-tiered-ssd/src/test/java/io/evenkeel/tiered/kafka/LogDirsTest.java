/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.TierSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDirsTest {
    @TempDir
    Path dir;

    private LogDirMeta identity(String properties) throws IOException {
        Files.writeString(dir.resolve("meta.properties"), properties);
        return LogDirs.identity(dir);
    }

    /** The cluster was one of ZooKeeper's once. */
    @Test
    void versionZeroHasAnotherNameForTheNode() throws IOException {
        assertThat(identity("version=0\nbroker.id=7\ncluster.id=c\ndirectory.id=d\n"))
                .isEqualTo(identity("version=1\nnode.id=7\ncluster.id=c\ndirectory.id=d\n"));
    }

    @Test
    void whatIsMissingIsNamed() {
        assertThatThrownBy(() -> identity("version=0\ncluster.id=c\ndirectory.id=d\n"))
                .hasMessageContaining("There is no broker.id in ");
    }

    /** Kafka asks for files by its own name of the directory, and reports failures of it. */
    @Test
    void trailingSlashIsKafkasAndNotOurs() {
        assertThat(LogDirs.names(Map.of("log.dirs", " /data/one/, /data/./two")))
                .isEqualTo(Map.of(Path.of("/data/one"), "/data/one", Path.of("/data/two"), "/data/./two"));
    }

    @Test
    void symbolicLinkStaysOne() throws IOException {
        Path link = Files.createSymbolicLink(dir.resolve("link"), dir.resolve("elsewhere"));
        assertThat(LogDirs.names(Map.of("log.dirs", link.toString())).keySet()).containsExactly(link);
    }

    @Test
    void symbolicLinkDoesNotHideThatAnSsdIsInsideALogDirectory() throws IOException {
        Path logDir = Files.createDirectory(dir.resolve("kafka"));
        Files.createDirectory(logDir.resolve("ssd"));
        Path ssd = Files.createSymbolicLink(dir.resolve("ssd"), logDir.resolve("ssd"));
        TierSettings settings = requireNonNull(TieredSsdConfig.parse(
                Map.of("tiered.ssd.dirs", ssd.toString(), "tiered.ssd.capacity.bytes", "1000000000")));
        assertThatThrownBy(() -> TierStart.requireApart(settings, List.of(new LogDirMeta(logDir, "d", "c", "1"))))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("must not be inside one another");
    }
}

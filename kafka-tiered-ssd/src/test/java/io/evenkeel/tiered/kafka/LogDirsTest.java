/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.tiered.api.LogDirMeta;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}

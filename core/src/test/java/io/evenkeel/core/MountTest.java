/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MountTest {
    private static final List<String> MOUNTS = List.of(
            "501 400 0:52 / / rw,relatime - overlay overlay rw,lowerdir=/a",
            "511 501 8:16 / /mnt/hdd\\0401 rw,noatime shared:5 master:2 - xfs /dev/sdb rw,lazytime",
            "512 501 8:1 /volumes/logs /var/kafka rw - ext4 /dev/sda1 rw");

    @Test
    void aFileIsOnTheDeepestMount() {
        assertThat(Mount.of(MOUNTS, Path.of("/mnt/hdd 1/kafka")))
                .isEqualTo(new Mount(
                        "8:16",
                        Path.of("/"),
                        Path.of("/mnt/hdd 1"),
                        Set.of("rw", "noatime", "lazytime"),
                        "xfs",
                        "/dev/sdb"));
        assertThat(Objects.requireNonNull(Mount.of(MOUNTS, Path.of("/mnt/hdd 10")))
                        .isRoot())
                .isTrue();
    }

    @Test
    void aDirectoryOfAFileSystemMayBeMountedAlone() {
        Mount volume = Objects.requireNonNull(Mount.of(MOUNTS, Path.of("/var/kafka/topic-0")));
        assertThat(volume.isWhole()).isFalse();
        assertThat(volume.isRoot()).isFalse();
    }

    @Test
    void theSystemItselfIsAsked() {
        assertThat(Objects.requireNonNull(Mount.of(Path.of("/proc/self/mountinfo")))
                        .type())
                .isEqualTo("proc");
        assertThat(Mount.of(Path.of("/no such file"))).isNull();
    }
}

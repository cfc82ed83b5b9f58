/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnFileSystemTest {
    private static final String OVERLAY = "501 400 0:52 / / rw,relatime - overlay overlay rw,lowerdir=/a";
    private static final String VOLUME =
            "510 501 8:1 /var/lib/docker/volumes/logs/_data /var/kafka rw,relatime - ext4 /dev/sda1 rw";
    private static final String DISK = "511 501 8:16 / /mnt/hdd\\0401 rw,relatime shared:5 - xfs /dev/sdb rw";

    private static boolean holds(String file, String... mounts) {
        return OwnFileSystem.holds(List.of(mounts), Path.of(file));
    }

    @Test
    void diskThatIsMountedWholeIsItsOwn() {
        assertThat(holds("/mnt/hdd 1/kafka/topic-0", OVERLAY, VOLUME, DISK)).isTrue();
    }

    @Test
    void rootIsNot() {
        assertThat(holds("/mnt/other/kafka", OVERLAY, VOLUME, DISK)).isFalse();
        assertThat(holds("/mnt/hdd 10/kafka", OVERLAY, VOLUME, DISK)).isFalse();
    }

    /** It is on the disk of the machine that runs the container. */
    @Test
    void directoryOfAnotherFileSystemIsNot() {
        assertThat(holds("/var/kafka/topic-0", OVERLAY, VOLUME, DISK)).isFalse();
    }

    @Test
    void laterMountHidesAnEarlierOne() {
        String hidden = "512 501 8:32 / /var/kafka rw - ext4 /dev/sdc rw";
        assertThat(holds("/var/kafka/topic-0", OVERLAY, hidden, VOLUME)).isFalse();
        assertThat(holds("/var/kafka/topic-0", OVERLAY, VOLUME, hidden)).isTrue();
    }

    @Test
    void theSystemItselfIsAsked() {
        assertThat(OwnFileSystem.holds(Path.of("/"))).isFalse();
        assertThat(OwnFileSystem.holds(Path.of("/proc/self/mountinfo"))).isTrue();
        assertThat(OwnFileSystem.holds(Path.of("/no such file"))).isFalse();
    }
}

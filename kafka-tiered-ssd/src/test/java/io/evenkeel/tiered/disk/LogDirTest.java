/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.file.FileOps;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LogDirTest {
    private static List<SsdDir> ssds(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new SsdDir(new FileOps(), Path.of("/ssd" + i), 100))
                .toList();
    }

    private static List<String> dealt(int ssds, int index, int logDirs) {
        return LogDir.dealt(ssds(ssds), index, logDirs).stream()
                .map(SsdDir::toString)
                .toList();
    }

    @Test
    void fewerSsdsThanLogDirsAreShared() {
        assertThat(dealt(2, 0, 5)).containsExactly("/ssd0");
        assertThat(dealt(2, 1, 5)).containsExactly("/ssd1");
        assertThat(dealt(2, 4, 5)).containsExactly("/ssd0");
    }

    @Test
    void moreSsdsThanLogDirsAreDealtOut() {
        assertThat(dealt(5, 0, 2)).containsExactly("/ssd0", "/ssd2", "/ssd4");
        assertThat(dealt(5, 1, 2)).containsExactly("/ssd1", "/ssd3");
    }

    @Test
    void emptiestSsdIsChosenUntilNoneHasRoom() {
        LogDir logDir = new LogDir(Path.of("/hdd"), "id", new Hdd(() -> 0, 1), ssds(2));
        assertThat(logDir.reserve(60, 60)).hasToString("/ssd0");
        assertThat(logDir.reserve(30, 30)).hasToString("/ssd1");
        assertThat(logDir.reserve(60, 60)).hasToString("/ssd1");
        assertThat(logDir.reserve(60, 60)).isNull();
        assertThat(logDir.reserve(40, 40)).hasToString("/ssd0");
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SyncfsTest {
    @TempDir
    Path dir = Path.of("target");

    private final FlushCounts counts = new FlushCounts();

    @Test
    void theSystemCanDoIt() throws Exception {
        Syncfs sync = new Syncfs(counts);
        for (int i = 0; i < 10; i++) {
            sync.begin(dir, 0);
            sync.await();
        }
        assertThat(counted(FlushCounter.SYNCS)).isEqualTo(10);
    }

    @Test
    void theFileIsHandedOn() throws Exception {
        Path log = dir.resolve("00000000000000000000.log");
        Syncfs sync = shell("echo \"$0\" >>" + dir.resolve("runs"));
        sync.begin(log, 0);
        sync.await();
        assertThat(runs()).containsExactly(log.toString());
    }

    @Test
    void noneBeginsWhileTheLastOneStillWaitsForItsDisk() throws Exception {
        Path goOn = dir.resolve("go-on");
        Syncfs sync =
                shell("echo \"$0\" >>%s; while [ ! -e %s ]; do sleep 0.01; done".formatted(dir.resolve("runs"), goOn));
        sync.begin(dir.resolve("1"), 0);
        sync.begin(dir.resolve("2"), 0);
        assertThat(sync.isRunning(0)).isTrue();
        assertThat(counted(FlushCounter.SYNCS)).as("none is over").isZero();
        Files.createFile(goOn);
        sync.await();
        sync.begin(dir.resolve("3"), 0);
        sync.await();
        assertThat(runs())
                .containsExactly(dir.resolve("1").toString(), dir.resolve("3").toString());
        assertThat(counted(FlushCounter.SYNCS)).isEqualTo(2);
    }

    @Test
    void whatFailsIsTriedAgainAndDoesNotCount() throws Exception {
        Path works = dir.resolve("works");
        Syncfs sync = shell("[ -e " + works + " ]");
        for (int i = 0; i < 5; i++) {
            sync.begin(dir, 0);
            sync.await();
        }
        assertThat(counted(FlushCounter.SYNCS)).isZero();
        assertThat(counted(FlushCounter.SYNC_FAILURES)).isEqualTo(5);
        Files.createFile(works);
        sync.begin(dir, 0);
        sync.await();
        assertThat(counted(FlushCounter.SYNCS)).isEqualTo(1);
    }

    @Test
    void whatCannotStartIsTriedAgain() {
        Syncfs sync = new Syncfs(List.of("/nowhere/sync"), counts);
        sync.begin(dir, 0);
        sync.begin(dir, 0);
        assertThat(counted(FlushCounter.SYNC_FAILURES)).isEqualTo(2);
        assertThat(counted(FlushCounter.SYNCS)).isZero();
    }

    private Syncfs shell(String script) {
        return new Syncfs(List.of("sh", "-c", script), counts);
    }

    private long counted(FlushCounter counter) {
        return requireNonNull(counts.read().get(counter));
    }

    private List<String> runs() throws IOException {
        return Files.readAllLines(dir.resolve("runs"));
    }
}

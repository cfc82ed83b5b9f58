/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

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

    @Test
    void theSystemCanDoIt() throws Exception {
        Syncfs sync = new Syncfs();
        for (int i = 0; i < 10; i++) {
            assertThat(sync.begin(dir)).isTrue();
            sync.await();
        }
    }

    @Test
    void theFileIsHandedOn() throws Exception {
        Path log = dir.resolve("00000000000000000000.log");
        Syncfs sync = shell("echo \"$0\" >>" + dir.resolve("runs"));
        assertThat(sync.begin(log)).isTrue();
        sync.await();
        assertThat(runs()).containsExactly(log.toString());
    }

    @Test
    void noneBeginsWhileTheLastOneStillWaitsForItsDisk() throws Exception {
        Path goOn = dir.resolve("go-on");
        Syncfs sync =
                shell("echo \"$0\" >>%s; while [ ! -e %s ]; do sleep 0.01; done".formatted(dir.resolve("runs"), goOn));
        assertThat(sync.begin(dir.resolve("1"))).isTrue();
        assertThat(sync.begin(dir.resolve("2"))).isTrue();
        Files.createFile(goOn);
        sync.await();
        assertThat(sync.begin(dir.resolve("3"))).isTrue();
        sync.await();
        assertThat(runs())
                .containsExactly(dir.resolve("1").toString(), dir.resolve("3").toString());
    }

    @Test
    void aFileThatHasJustBeenDeletedDoesNotEndIt() throws Exception {
        Syncfs sync = new Syncfs();
        for (int i = 0; i < 5; i++) {
            assertThat(sync.begin(dir.resolve("gone"))).isTrue();
            sync.await();
            assertThat(sync.begin(dir)).isTrue();
            sync.await();
        }
    }

    @Test
    void whatFailsAgainAndAgainIsGivenUp() throws Exception {
        Syncfs sync = shell("exit 1");
        for (int i = 0; i < 3; i++) {
            assertThat(sync.begin(dir)).isTrue();
            sync.await();
        }
        assertThat(sync.begin(dir)).isFalse();
    }

    @Test
    void whatIsNotThereIsGivenUpAtOnce() {
        assertThat(new Syncfs(List.of("/nowhere/sync")).begin(dir)).isFalse();
    }

    private static Syncfs shell(String script) {
        return new Syncfs(List.of("sh", "-c", script));
    }

    private List<String> runs() throws IOException {
        return Files.readAllLines(dir.resolve("runs"));
    }
}

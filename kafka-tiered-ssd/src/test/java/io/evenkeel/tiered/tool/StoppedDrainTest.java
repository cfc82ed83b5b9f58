/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.evenkeel.tiered.BrokerOnDisks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code drain --offline}; that it loses nothing is for {@code OfflineDrainTest}. */
class StoppedDrainTest {
    @TempDir
    Path root;

    private BrokerOnDisks broker;

    @BeforeEach
    void makeSegments() throws Exception {
        broker = new BrokerOnDisks(root, 2, 1, 4 << 20);
        broker.roll("events-0", 0, 10_000);
        broker.roll(1, "events-1", 0, 20_000);
        broker.roll("events-0", 100, 500);
        broker.copy();
    }

    private Said drain(String... more) {
        String[] command = new String[more.length + 2];
        command[0] = "drain";
        command[1] = "--offline";
        System.arraycopy(more, 0, command, 2, more.length);
        return Said.by(broker.serverProperties(), command);
    }

    @Test
    void allSegmentsAreOnTheHddAndTheSsdIsEmpty() {
        Said said = drain("--json");
        assertThat(said).extracting(Said::exitCode).isEqualTo(0);
        assertThat(said.json().at("/copiedSegments").asInt()).isEqualTo(2);
        assertThat(said.json().at("/copiedBytes").asLong()).isEqualTo(20_500);
        assertThat(said.json().at("/left").isEmpty()).isTrue();
        assertThat(root.resolve("ssd0")).isEmptyDirectory();
        assertThat(drain().out()).contains("Copied 0 segments", "No link is left", "are empty");
    }

    @Test
    void drainIsRefusedWhileABrokerHasALogDirectory() throws IOException {
        try (FileChannel lock = FileChannel.open(root.resolve("hdd1/.lock"), CREATE, WRITE)) {
            assertThat(lock.lock().isValid()).isTrue();
            Said said = drain();
            assertThat(said.exitCode()).isEqualTo(2);
            assertThat(said.err())
                    .isEqualTo("A broker runs on " + root.resolve("hdd1")
                            + ": stop it, or drain it while it runs with --bootstrap-server\n");
            assertThat(broker.ssdFiles()).hasSize(3);
        }
        assertThat(drain().exitCode()).isZero();
    }

    @Test
    void drainIsRefusedWhenALogDirectoryCannotBeRead() throws IOException {
        Files.delete(root.resolve("hdd1/meta.properties"));
        assertThat(drain().err()).contains("cannot be read", "meta.properties");
        assertThat(broker.ssdFiles()).hasSize(3);
    }

    @Test
    void onlyTheOwnerOfTheLogDirectoriesMayDrain() throws IOException {
        assumeTrue(System.getProperty("user.name").equals("root"), "needs root to give a directory away");
        Files.setAttribute(root.resolve("hdd1"), "unix:uid", 65534);
        Said said = drain();
        assertThat(said.exitCode()).isEqualTo(2);
        assertThat(said.err())
                .contains(root.resolve("hdd1") + " belongs to nobody, but this is root", "sudo -u nobody");
        assertThat(broker.ssdFiles()).hasSize(3);
    }

    @Test
    void exactlyOneOfOfflineAndBootstrapServerIsRequired() {
        assertThat(Said.by(broker.serverProperties(), "drain").err()).contains("--offline", "see --help");
        assertThat(drain("--bootstrap-server", "localhost:1").err()).contains("not allowed with argument");
        assertThat(drain("--cancel").err()).contains("--cancel is for a running broker");
    }
}

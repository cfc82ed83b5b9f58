/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.quickstart;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.it.TestClasses;
import io.evenkeel.quickstart.Quickstart;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The quickstart as a process: its refusals, and the files that it leaves behind when it ends early. */
class QuickstartIT {
    @TempDir
    Path temp;

    @TempDir
    Path output;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end() throws InterruptedException {
        for (Process process : started) {
            process.destroy();
            process.waitFor();
        }
    }

    @Test
    void portInUseIsOneLine() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertRefused(start(dir(), taken.getLocalPort()), "port " + taken.getLocalPort() + " is in use");
        }
        assertThat(dir()).doesNotExist();
    }

    @Test
    void foreignDirectoryIsLeftAlone() throws Exception {
        Path precious = Files.writeString(temp.resolve("server.properties"), "node.id=1");
        assertRefused(start(temp, freePort()), "is not empty and not from an earlier quickstart");
        assertThat(precious).hasContent("node.id=1");
    }

    @Test
    void fileInPlaceOfTheDirectoryIsNamed() throws Exception {
        Path file = Files.createFile(temp.resolve("file"));
        assertRefused(start(file, freePort()), "cannot be used; choose another --dir: ");
        assertThat(errors()).contains(file.toString());
    }

    @Tag("long")
    @Test
    void directoryOfRunningBrokerIsLeftAlone() throws Exception {
        Process first = start(dir(), freePort());
        awaitFlow(first);
        assertRefused(start(dir(), freePort()), "a broker still runs in " + dir());
        assertThat(first.isAlive()).isTrue();
        assertThat(dir().resolve("hdd")).isNotEmptyDirectory();
    }

    @Tag("long")
    @Test
    void endedEarlyItLeavesNothing() throws Exception {
        Process quickstart = start(dir(), freePort());
        awaitFlow(quickstart);
        ProcessHandle broker = broker(quickstart);
        quickstart.destroy();
        assertThat(quickstart.waitFor(30, SECONDS)).isTrue();
        assertThat(quickstart.exitValue()).isEqualTo(143);
        assertThat(broker.isAlive()).isFalse();
        assertThat(dir()).doesNotExist();
    }

    @Tag("long")
    @Test
    void brokerThatDiesIsNamedAndItsLogStays() throws Exception {
        Process quickstart = start(dir(), freePort());
        awaitFlow(quickstart);
        broker(quickstart).destroyForcibly();
        assertThat(quickstart.waitFor(30, SECONDS)).isTrue();
        assertThat(quickstart.exitValue()).isEqualTo(1);
        assertThat(errors()).contains("quickstart: the broker has exited").hasLineCount(1);
        assertThat(dir().resolve("broker.log")).isNotEmptyFile();
    }

    private Path dir() {
        return temp.resolve("run");
    }

    private static int freePort() {
        return BrokerConfig.under(Path.of("unused"), 1, 1).port();
    }

    private Process start(Path dir, int port) throws IOException {
        KafkaRuntime runtime = KafkaRuntime.find();
        List<String> command = runtime.command(
                List.of(TestClasses.of(Quickstart.class), TestClasses.of(KafkaRuntime.class)),
                List.of(
                        "-Dlog4j2.level=OFF",
                        "-Dkafka.libs=" + runtime.libs(),
                        "-Dagent.jar=" + System.getProperty("agent.jar")),
                Quickstart.class.getName(),
                List.of("--dir", dir.toString(), "--port", String.valueOf(port)));
        Process process = new ProcessBuilder(command)
                .redirectOutput(output.resolve("out").toFile())
                .redirectError(output.resolve("err").toFile())
                .start();
        started.add(process);
        return process;
    }

    private void assertRefused(Process quickstart, String why) throws IOException, InterruptedException {
        assertThat(quickstart.waitFor(30, SECONDS)).isTrue();
        assertThat(quickstart.exitValue()).isEqualTo(2);
        assertThat(errors()).contains(why).hasLineCount(1);
    }

    /** Waits for the first line of output. */
    private void awaitFlow(Process quickstart) {
        await().atMost(90, SECONDS).until(() -> {
            assertThat(quickstart.isAlive()).as(errors()).isTrue();
            return Files.readString(output.resolve("out")).contains("laggard");
        });
    }

    private static ProcessHandle broker(Process quickstart) {
        return quickstart.children().findFirst().orElseThrow();
    }

    private String errors() throws IOException {
        return Files.readString(output.resolve("err"));
    }
}

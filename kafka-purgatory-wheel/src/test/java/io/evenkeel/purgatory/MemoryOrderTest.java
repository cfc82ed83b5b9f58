/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.purgatory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs {@link TimerMemoryOrder} and {@link RequestMemoryOrder} under jcstress: each test for half a second with C2 and
 * shuffled instructions. {@code -Dmemory.order.ms=10000} runs each for ten seconds in every mode of compilation;
 * {@code -Dmemory.order=NoTrigger} runs only the tests whose names contain that.
 */
@Tag("slow")
class MemoryOrderTest {
    private static final List<String> SHORT = List.of(
            "-time",
            "500",
            "-jvmArgs",
            "-XX:+UnlockDiagnosticVMOptions -XX:+StressLCM -XX:+StressGCM -XX:-TieredCompilation");
    /** A regular expression for the names of both classes. */
    private static final String ALL = MemoryOrderTest.class.getPackageName() + ".(Timer|Request)MemoryOrder";

    private static final long LONGEST_MINUTES = 60;

    @Test
    void nothingForbiddenIsSeen(@TempDir Path reports) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.openjdk.jcstress.Main"));
        command.addAll(List.of("-t", System.getProperty("memory.order", ALL), "-r", reports.toString()));
        command.addAll(List.of("-f", "1", "-fsm", "1", "-iters", "1", "-sc", "false", "-af", "NONE"));
        String millis = System.getProperty("memory.order.ms");
        command.addAll(millis == null ? SHORT : List.of("-time", millis));
        Process jcstress = new ProcessBuilder(command)
                .directory(reports.toFile())
                .redirectErrorStream(true)
                .start();
        try {
            String output = new String(jcstress.getInputStream().readAllBytes(), UTF_8);
            assertThat(jcstress.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)).isTrue();
            assertThat(jcstress.exitValue()).as(output).isZero();
            assertThat(output)
                    .contains("0 failed, 0 soft errs, 0 hard errs")
                    .containsPattern("\\d+ matching test results");
        } finally {
            jcstress.descendants().forEach(ProcessHandle::destroyForcibly);
            jcstress.destroyForcibly();
        }
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static io.evenkeel.testkit.SegmentFiles.State.ONLY_CACHE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.Topics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The kernel's own word that records go from the SSD file to the socket without a copy; needs {@code strace}. */
class ZeroCopyIT {
    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @Test
    void recordsGoFromTheSsdFileToTheSocketBySendfile(@TempDir Path dir) throws Exception {
        BrokerConfig config = BrokerConfig.under(dir.resolve("node"), 1, 1)
                .patched()
                .with("log.segment.bytes", 1 << 20)
                .with("tiered.ssd.capacity.bytes", 64 << 20)
                .with("tiered.ssd.copy.interval.ms", 3600000);
        Records records = new Records("wire", 1, 1000);
        Broker broker = brokers.start(config);
        new Topics(broker).create(records, Map.of());
        records.produce(broker.clientProperties(), 3000);
        Path onSsd = SegmentFiles.of(config).of("wire").in(ONLY_CACHE).get(0).ssdFile();

        String calls = callsDuring(broker, dir, () -> records.verifyAll(broker.clientProperties()));

        assertThat(calls)
                .containsPattern("sendfile(64)?\\(\\d+<(TCP|socket)[^>]*>+, \\d+<" + Pattern.quote("" + onSsd) + ">")
                .doesNotContainPattern("pread64\\(\\d+<" + Pattern.quote("" + onSsd) + ">.* = \\d{5,}");
    }

    /** The broker's reads and sends during an action, as {@code strace} reports them. */
    private static String callsDuring(Broker broker, Path dir, Runnable action) throws Exception {
        Path calls = dir.resolve("calls");
        Path said = dir.resolve("strace");
        Process strace = new ProcessBuilder(
                        "strace", "-f", "-y", "-e", "trace=sendfile,pread64", "-o", "" + calls, "-p", "" + broker.pid())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            await("strace").atMost(Duration.ofSeconds(30)).until(() -> {
                assertThat(strace.isAlive()).as(Files.readString(said)).isTrue();
                return Files.readString(said).contains("attached");
            });
            action.run();
        } finally {
            // SIGTERM: it detaches and the broker goes on
            strace.destroy();
            strace.waitFor(30, TimeUnit.SECONDS);
        }
        return Files.readString(calls);
    }
}

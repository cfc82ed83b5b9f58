/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.ForkedBroker;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A broker that refuses to start, and the files that it must not touch when it does so. Stateless. */
public final class StartRefusal {
    private static final long DEADLINE_SECONDS = 60;

    private StartRefusal() {}

    /** Starts a broker, which must exit on its own with a code other than 0, and returns its output. */
    public static String of(BrokerConfig config) throws IOException, InterruptedException {
        try (ForkedBroker broker = new ForkedBroker(KafkaRuntime.find(), config)) {
            Files.deleteIfExists(broker.logFile());
            Process process = broker.launch();
            boolean ended = process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS);
            String output = Files.readString(broker.logFile());
            assertThat(ended).as("ended by itself:\n" + output).isTrue();
            assertThat(process.exitValue()).as(output).isNotZero();
            return output;
        }
    }

    /** All files below the directories, with their lengths in bytes. */
    public static Map<Path, Long> files(List<Path> dirs) throws IOException {
        Map<Path, Long> sizes = new TreeMap<>();
        for (Path root : dirs) {
            try (Stream<Path> all = Files.walk(root)) {
                all.filter(path -> !Files.isDirectory(path))
                        .forEach(path -> sizes.put(path, path.toFile().length()));
            }
        }
        return sizes;
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.testkit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * Kafka's classes as a broker that runs has them, in a file that the JVMs of others map (JEP 350): where many brokers
 * start, each then needs two thirds of the time. The image {@code apache/kafka} has such a file, too.
 *
 * <p>Only where the system property {@code class.archive} names the file. It is made anew once in each JVM that asks
 * for it.
 */
final class ClassArchive {
    private static @Nullable List<String> flags;

    private ClassArchive() {}

    /** What a broker's JVM is told to use the archive; nothing, where there is none. */
    static synchronized List<String> flags(KafkaRuntime runtime) throws IOException {
        String file = System.getProperty("class.archive");
        if (file == null) {
            return List.of();
        }
        if (flags == null) {
            flags = List.of(); // for the broker that makes it
            make(runtime, Path.of(file));
            flags = List.of("-XX:SharedArchiveFile=" + file);
        }
        return flags;
    }

    private static void make(KafkaRuntime runtime, Path archive) throws IOException {
        Files.deleteIfExists(archive);
        Path dir = Files.createTempDirectory("class-archive");
        try {
            BrokerConfig config = BrokerConfig.under(dir, 1, 0);
            List<String> dumping = new ArrayList<>(config.jvmFlags());
            dumping.add("-XX:ArchiveClassesAtExit=" + archive);
            try (Broker broker = new ForkedBroker(runtime, config.withJvmFlags(dumping)).start()) {
                broker.stop();
                if (!Files.exists(archive)) {
                    throw new IOException(
                            "the JVM has not made " + archive + "; it said\n" + Readiness.tail(broker.logFile()));
                }
            }
        } finally {
            Utils.delete(dir.toFile());
        }
    }
}

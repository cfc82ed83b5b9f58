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
 * An archive of Kafka's classes as a running broker has loaded them (JEP 350). The JVMs of later brokers map the file,
 * which cuts the time of a start by a third. The image {@code apache/kafka} also has such an archive.
 *
 * <p>Used only if the system property {@code class.archive} names the file, and only for the default Kafka. Each JVM
 * that asks for the archive creates it once.
 */
final class ClassArchive {
    private static @Nullable List<String> flags;

    private ClassArchive() {}

    /** The JVM flags that make a broker use the archive; none if there is no archive. */
    static synchronized List<String> flags(KafkaRuntime runtime) throws IOException {
        String file = System.getProperty("class.archive");
        if (file == null || !runtime.equals(KafkaRuntime.find())) {
            return List.of();
        }
        if (flags == null) {
            flags = List.of(); // for the broker that creates the archive
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
                    throw new IOException("the JVM did not create the class archive " + archive + "; its output:\n"
                            + Readiness.tail(broker.logFile()));
                }
            }
        } finally {
            Utils.delete(dir.toFile());
        }
    }
}

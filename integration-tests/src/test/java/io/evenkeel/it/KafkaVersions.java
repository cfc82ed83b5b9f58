/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it;

import io.evenkeel.testkit.Commands;
import io.evenkeel.testkit.KafkaRuntime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The versions of Kafka that the agent's hooks are compared with, and the jars of their brokers. Stateless. */
public final class KafkaVersions {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

    private KafkaVersions() {}

    /** All of them, the oldest first. */
    public static List<String> supported() throws IOException {
        return Files.readAllLines(ROOT.resolve("agent/src/test/resources/kafka-versions.txt"));
    }

    /** A stock broker's jars, which come from Maven's repository when they are first asked for. */
    public static KafkaRuntime runtime(String version) throws IOException {
        Path libs = Path.of("target", "kafka", version, "libs").toAbsolutePath();
        Path complete = libs.resolveSibling("complete");
        if (!Files.exists(complete)) {
            Commands.run(
                    ROOT.resolve("mvnw").toString(),
                    "-q",
                    "-f",
                    ROOT.resolve("docker/pom.xml").toString(),
                    "dependency:copy-dependencies",
                    "-DincludeScope=runtime",
                    "-Dkafka.version=" + version,
                    "-DoutputDirectory=" + libs);
            Files.createFile(complete);
        }
        return new KafkaRuntime(libs);
    }
}

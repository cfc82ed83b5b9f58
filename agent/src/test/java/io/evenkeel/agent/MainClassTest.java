/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MainClassTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"kafka.Kafka", "kafka.Kafka /etc/server.properties --override broker.id=1", "kafka/kafka.Kafka x"
            })
    void aBrokerIsABroker(String command) {
        assertThat(MainClass.isBroker(command, "/opt/kafka/libs/a.jar:/opt/kafka/libs/b.jar"))
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "kafka.tools.StorageTool format kafka.Kafka",
                "org.apache.kafka.tools.TopicCommand --topic kafka.Kafka",
                "kafka.KafkaX",
                "notkafka.Kafka",
                "kafka/kafka.tools.StorageTool",
                "",
            })
    void aToolIsNone(String command) {
        assertThat(MainClass.isBroker(command, "/opt/kafka/libs/a.jar")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kafka.Kafka", "kafka.tools.StorageTool"})
    void aJarIsWhatItsManifestSays(String mainClass, @TempDir Path dir) throws IOException {
        Path jar = dir.resolve("a kafka.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, mainClass);
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
        assertThat(MainClass.isBroker(jar + " server.properties", jar + ":/agent.jar"))
                .isEqualTo(mainClass.equals("kafka.Kafka"));
    }

    @ParameterizedTest
    @CsvSource({
        "kafka.Kafka, ''",
        "kafka.Kafka /etc/server.properties --override broker.id=1, /etc/server.properties --override broker.id=1",
        "kafka/kafka.Kafka x, x",
        "/opt/a kafka.jar x y, x y",
    })
    void whatStandsBehindTheMainClass(String command, String arguments) {
        assertThat(MainClass.arguments(command, "/opt/a kafka.jar:/opt/kafka/libs/b.jar"))
                .isEqualTo(arguments);
    }

    @Test
    void thisTestIsNoBroker() {
        assertThat(MainClass.isBroker()).isFalse();
    }
}

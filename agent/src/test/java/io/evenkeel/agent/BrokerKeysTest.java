/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import kafka.Kafka;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrokerKeysTest {
    @TempDir
    Path dir;

    @Test
    void areThoseOfTheFile() throws IOException {
        assertThat(BrokerKeys.of(file("server.properties").toString()))
                .containsEntry("a", "from the file")
                .hasSize(2);
    }

    @Test
    void aPathMayHoldSpaces() throws IOException {
        assertThat(BrokerKeys.of(file("a server.properties") + " --override a=b"))
                .containsEntry("a", "b")
                .containsEntry("c", "d");
    }

    @Test
    void overridesWinAndMayHoldSpacesAndEqualSigns() throws IOException {
        assertThat(BrokerKeys.of(file("server.properties")
                        + " --override a=one, two --override=c=x=y --override purgatory.wheel.enable=false"))
                .containsEntry("a", "one, two")
                .containsEntry("c", "x=y")
                .containsEntry("purgatory.wheel.enable", "false");
    }

    /** The judge is Kafka's own parser, which takes one dash or two, and no shortened names. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "-override|a=1",
                "-override=a=1",
                "--override=a=1",
                "--override|a=-override",
                "--override|a=1|-override|c=2|--override=x=3|-override=y=-4",
                "--override|a=",
                "--override|a",
                "--override|listeners=PLAINTEXT://h:1, CONTROLLER://h:2|-override|a=x=y",
                "--override|a=first\nsecond|-override|c=2",
                "-override|a= padded |--override|c=-overridden b --over x",
                "--override|a=1|--override|a=2",
            })
    void optionsAreThoseThatKafkaTakes(String options) throws IOException {
        String[] arguments = (file("server.properties") + "|" + options).split("\\|");
        assertThat(BrokerKeys.of(String.join(" ", arguments))).isEqualTo(Kafka.getPropsFromArgs(arguments));
    }

    /** Kafka does not start then, and says why itself. */
    @Test
    void whatKafkaRefusesIsLeftToKafka() throws IOException {
        String file = file("server.properties").toString();
        assertThat(BrokerKeys.of(file + " --override")).containsEntry("a", "from the file");
        assertThat(BrokerKeys.of(file + " --version")).containsEntry("a", "from the file");
        assertThat(BrokerKeys.of(file + " --override a=1 --help")).containsEntry("a", "1");
    }

    @Test
    void withoutAFileThereAreNone() {
        assertThat(BrokerKeys.of("")).isEmpty();
        assertThat(BrokerKeys.of("--help")).isEmpty();
        assertThat(BrokerKeys.of("--version --help")).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsNotPassedOver() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> BrokerKeys.of(dir.resolve("none") + " --override a=b"))
                .withMessageContaining("cannot read the broker's properties file '" + dir.resolve("none") + "'");
    }

    private Path file(String name) throws IOException {
        return Files.writeString(dir.resolve(name), "a=from the file\n# no key\nc = d\n");
    }
}

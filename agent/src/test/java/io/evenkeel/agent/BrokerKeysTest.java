/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

    /** Kafka starts with all of these. */
    @Test
    void optionsAreThoseThatKafkaTakes() throws IOException {
        assertThat(BrokerKeys.of(file("server.properties")
                        + " -override a=1 --over c=2 -override=x=3 --o y=-4 --override z=a -overridden b"))
                .isEqualTo(Map.of("a", "1", "c", "2", "x", "3", "y", "-4", "z", "a -overridden b"));
        assertThat(BrokerKeys.of("-help")).isEmpty();
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

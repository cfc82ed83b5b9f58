/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentOptionsTest {
    @TempDir
    Path dir;

    @Test
    void withoutAnArgumentAMismatchFails() {
        assertThat(parse(null)).isEqualTo(new AgentOptions(false, null, Map.of()));
        assertThat(parse("")).isEqualTo(new AgentOptions(false, null, Map.of()));
    }

    @Test
    void readsEveryOption() throws IOException {
        Path file = Files.writeString(dir.resolve("ours.properties"), "tiered.ssd.dirs = /ssd/a,/ssd/b\n# no key\n");
        assertThat(parse("force=true, on.mismatch=skip, dump=" + dir + ", config=" + file))
                .isEqualTo(new AgentOptions(true, dir, Map.of("tiered.ssd.dirs", "/ssd/a,/ssd/b")));
    }

    @Test
    void enforcesOnlyWhenItSaysSo() {
        assertThat(AgentOptions.isForced("on.mismatch=skip,force=true")).isTrue();
        assertThat(AgentOptions.isForced("force=false")).isFalse();
        assertThat(AgentOptions.isForced("enforce=true")).isFalse();
        assertThat(AgentOptions.isForced(null)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "on.mismach=skip | unknown agent option 'on.mismach', did you mean 'on.mismatch'?",
                "confg=/etc/x    | unknown agent option 'confg', did you mean 'config'?",
                "on.mismatch=no  | agent option 'on.mismatch' is 'no' and must be 'fail' or 'skip'",
                "force=yes       | agent option 'force' is 'yes' and must be 'false' or 'true'",
                "force           | agent option 'force' has no value",
                "config=         | agent option 'config' has no value",
                "dump=/no/such  | agent option 'dump': '/no/such' is not a directory",
                "force=true,force=true | agent option 'force' is given twice",
            })
    void refusesWhatItDoesNotUnderstand(String argument, String message) {
        assertThatIllegalArgumentException().isThrownBy(() -> parse(argument)).withMessage(message);
    }

    @Test
    void refusesAConfigFileThatIsNotThere() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("config=" + dir.resolve("none")))
                .withMessageStartingWith("agent option 'config': cannot read '" + dir.resolve("none"));
    }

    @Test
    void refusesAKeyThatIsNotOurs() throws IOException {
        Path file = Files.writeString(dir.resolve("ours.properties"), "tired.ssd.dirs=/ssd\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> parse("config=" + file))
                .withMessage("agent option 'config': '" + file
                        + "' has the key 'tired.ssd.dirs', which is not a key of evenkeel; these start with"
                        + " tiered.ssd.");
    }

    private static AgentOptions parse(@Nullable String argument) {
        return AgentOptions.parse(argument, List.of("tiered.ssd."));
    }
}

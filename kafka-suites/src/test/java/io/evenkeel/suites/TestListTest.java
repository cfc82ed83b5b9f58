/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the files of {@code kafka-suites/suites} may say. */
class TestListTest {
    private static final Path SHIPPED = Path.of("suites");

    @Test
    void allLinesOfSeveralListsCount(@TempDir Path lists) throws IOException {
        Files.writeString(lists.resolve("one"), "# a comment\nat least 3\nmust happen: copies\n\nsome.Test\n");
        Files.writeString(lists.resolve("two"), "at least 4\nstarts brokers\nother.Test#method\n");
        assertThat(TestList.of(List.of("one", "two"), lists))
                .isEqualTo(new TestList(List.of("some.Test", "other.Test#method"), 7, List.of("copies"), true));
    }

    @Test
    void aNameThatIsNoListIsATestThatMustPass(@TempDir Path lists) throws IOException {
        assertThat(TestList.of(List.of("some.Test"), lists))
                .isEqualTo(new TestList(List.of("some.Test"), 1, List.of(), false));
    }

    @Test
    void onlyTheListOfLogsStartsNoBroker() throws IOException {
        try (var lists = Files.list(SHIPPED)) {
            for (Path list : lists.toList()) {
                String name = list.getFileName().toString();
                assertThat(TestList.of(List.of(name), SHIPPED).startsBrokers())
                        .as(name)
                        .isEqualTo(!name.equals("log"));
            }
        }
    }
}

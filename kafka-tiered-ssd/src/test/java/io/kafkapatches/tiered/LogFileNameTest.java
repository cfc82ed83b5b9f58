/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFileNameTest {
    private static final String BASE = "00000000000000000042";

    @Test
    void knowsWhatKafkaCallsItsSegments() {
        assertThat(LogFileName.parse(Path.of(BASE + ".log"))).isEqualTo(new LogFileName(42, ""));
        assertThat(LogFileName.parse(Path.of(BASE + ".log.deleted"))).isEqualTo(new LogFileName(42, ".deleted"));
        assertThat(LogFileName.parse(Path.of(BASE + ".log.swap"))).isEqualTo(new LogFileName(42, ".swap"));
        assertThat(LogFileName.parse(Path.of(BASE + ".log.cleaned"))).isEqualTo(new LogFileName(42, ".cleaned"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                BASE + ".index",
                BASE + ".log.tiering",
                BASE + ".log.",
                "42.log",
                "0000000000000000004x.log",
                BASE + "0.log",
                "99999999999999999999.log",
                "09223372036854775808.log",
                BASE + ".log.2",
                "leader-epoch-checkpoint"
            })
    void leavesOtherFilesAlone(String name) {
        assertThat(LogFileName.parse(Path.of(name))).isNull();
    }

    @Test
    void knowsOurNamesOnTheSsd() {
        assertThat(LogFileName.baseOffsetOnSsd(Path.of(BASE + ".log"))).isEqualTo(42);
        assertThat(LogFileName.baseOffsetOnSsd(Path.of(BASE + ".log.2"))).isEqualTo(42);
        assertThat(LogFileName.baseOffsetOnSsd(Path.of(BASE + ".log.deleted"))).isEqualTo(-1);
    }

    @Test
    void knowsWhereAFileOfASegmentBegins() {
        assertThat(LogFileName.leadingOffset(Path.of(BASE + ".timeindex"))).isEqualTo(42);
        assertThat(LogFileName.leadingOffset(Path.of(BASE + ".log.deleted"))).isEqualTo(42);
        assertThat(LogFileName.leadingOffset(Path.of("09223372036854775807.log")))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(LogFileName.leadingOffset(Path.of(BASE))).isEqualTo(-1);
        assertThat(LogFileName.leadingOffset(Path.of(BASE + "-0000000001.checkpoint")))
                .isEqualTo(-1);
        assertThat(LogFileName.leadingOffset(Path.of("partition.metadata"))).isEqualTo(-1);
    }

    @Test
    void knowsPartitionsThatAreNotTheTiersBusiness() {
        assertThat(LogFileName.isTiered(Path.of("/d/__cluster_metadata-0"))).isFalse();
        assertThat(LogFileName.isTiered(Path.of("/d/__consumer_offsets-0"))).isTrue();
        assertThat(LogFileName.isDying(Path.of("/d/a.b-0.0123456789abcdef-delete")))
                .isTrue();
        assertThat(LogFileName.isDying(Path.of("/d/a-0.0123456789abcdef-stray")))
                .isTrue();
        assertThat(LogFileName.isDying(Path.of("/d/to-delete-0"))).isFalse();
        assertThat(LogFileName.isFuture(Path.of("/d/a-0.0123456789abcdef-future")))
                .isTrue();
        assertThat(LogFileName.isFuture(Path.of("/d/the-future-0"))).isFalse();
    }

    @Test
    void lastPartAndDirectoryOfAPath() {
        for (String path : List.of("/a/b.log", "b.log", "/b.log", "a/b.c/d")) {
            Path file = Path.of(path);
            assertThat(LogFileName.nameOf(file)).isEqualTo(file.getFileName().toString());
            assertThat(LogFileName.dirOf(file)).isEqualTo(file.resolveSibling(""));
        }
        assertThat(LogFileName.nameOf(Path.of("/"))).isEmpty();
    }
}

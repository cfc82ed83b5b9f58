/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SegmentFileNameTest {
    private static final String BASE = "00000000000000000042";

    @Test
    void theTopicOfAPartitionIsKnownUntilKafkaRenamesTheDirectory() {
        assertThat(SegmentFileName.topicOf("orders-7")).isEqualTo("orders");
        assertThat(SegmentFileName.topicOf("eu-orders.v2-12")).isEqualTo("eu-orders.v2");
        assertThat(SegmentFileName.topicOf("orders-7.0123456789abcdef0123456789abcdef-delete"))
                .isEmpty();
        assertThat(SegmentFileName.topicOf("orders-7.0123456789abcdef0123456789abcdef-future"))
                .isEmpty();
    }

    @Test
    void knowsWhatKafkaCallsItsSegments() {
        assertThat(SegmentFileName.parse(Path.of(BASE + ".log"))).isEqualTo(new SegmentFileName(42, ""));
        assertThat(SegmentFileName.parse(Path.of(BASE + ".log.deleted")))
                .isEqualTo(new SegmentFileName(42, ".deleted"));
        assertThat(SegmentFileName.parse(Path.of(BASE + ".log.swap"))).isEqualTo(new SegmentFileName(42, ".swap"));
        assertThat(SegmentFileName.parse(Path.of(BASE + ".log.cleaned")))
                .isEqualTo(new SegmentFileName(42, ".cleaned"));
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
        assertThat(SegmentFileName.parse(Path.of(name))).isNull();
    }

    @Test
    void knowsOurNamesOnTheSsd() {
        assertThat(SegmentFileName.baseOffsetOnSsd(Path.of(BASE + ".log"))).isEqualTo(42);
        assertThat(SegmentFileName.baseOffsetOnSsd(Path.of(BASE + ".log.2"))).isEqualTo(42);
        assertThat(SegmentFileName.baseOffsetOnSsd(Path.of(BASE + ".log.deleted")))
                .isEqualTo(-1);
    }

    @Test
    void knowsWhereAFileOfASegmentBegins() {
        assertThat(SegmentFileName.leadingOffset(Path.of(BASE + ".timeindex"))).isEqualTo(42);
        assertThat(SegmentFileName.leadingOffset(Path.of(BASE + ".log.deleted")))
                .isEqualTo(42);
        assertThat(SegmentFileName.leadingOffset(Path.of("09223372036854775807.log")))
                .isEqualTo(Long.MAX_VALUE);
        assertThat(SegmentFileName.leadingOffset(Path.of(BASE))).isEqualTo(-1);
        assertThat(SegmentFileName.leadingOffset(Path.of(BASE + "-0000000001.checkpoint")))
                .isEqualTo(-1);
        assertThat(SegmentFileName.leadingOffset(Path.of("partition.metadata"))).isEqualTo(-1);
    }

    @Test
    void knowsPartitionsThatAreNotTheTiersBusiness() {
        assertThat(SegmentFileName.isTiered(Path.of("/d/__cluster_metadata-0"))).isFalse();
        assertThat(SegmentFileName.isTiered(Path.of("/d/__consumer_offsets-0"))).isTrue();
        assertThat(SegmentFileName.isDying(Path.of("/d/a.b-0.0123456789abcdef-delete")))
                .isTrue();
        assertThat(SegmentFileName.isDying(Path.of("/d/a-0.0123456789abcdef-stray")))
                .isTrue();
        assertThat(SegmentFileName.isDying(Path.of("/d/to-delete-0"))).isFalse();
        assertThat(SegmentFileName.isFuture(Path.of("/d/a-0.0123456789abcdef-future")))
                .isTrue();
        assertThat(SegmentFileName.isFuture(Path.of("/d/the-future-0"))).isFalse();
    }

    @Test
    void lastPartAndDirectoryOfAPath() {
        for (String path : List.of("/a/b.log", "b.log", "/b.log", "a/b.c/d")) {
            Path file = Path.of(path);
            assertThat(SegmentFileName.nameOf(file))
                    .isEqualTo(file.getFileName().toString());
            assertThat(SegmentFileName.dirOf(file)).isEqualTo(file.resolveSibling(""));
        }
        assertThat(SegmentFileName.nameOf(Path.of("/"))).isEmpty();
    }
}

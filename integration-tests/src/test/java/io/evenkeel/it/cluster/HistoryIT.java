/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Kills each broker twice under a {@link RecordedLoad}, and leaves the history in {@code target/histories}.
 * {@code integration-tests/others/jepsen-checker} judges it; this test only demands that there is something to judge.
 */
@Tag("long")
@Timeout(600)
class HistoryIT {
    private static final Path HISTORIES = Path.of("target", "histories");

    @RegisterExtension
    static final TieredCluster CLUSTER = new TieredCluster();

    /** Whether the brokers are patched: at first, and as each comes back after the first and after the second kill. */
    enum Brokers {
        STOCK(false, false, false),
        PATCHED(true, true, true),
        /** The jar is installed and removed again, without a drain. */
        MIXED(false, true, false);

        private final boolean atFirst;
        private final boolean afterFirst;
        private final boolean afterSecond;

        Brokers(boolean atFirst, boolean afterFirst, boolean afterSecond) {
            this.atFirst = atFirst;
            this.afterFirst = afterFirst;
            this.afterSecond = afterSecond;
        }
    }

    @ParameterizedTest
    @EnumSource
    void kills(Brokers brokers) throws IOException {
        String name = brokers.name().toLowerCase(Locale.ROOT);
        Path history = HISTORIES.resolve(name + ".edn");
        Files.deleteIfExists(history); // an earlier one must not be judged in its place
        CLUSTER.run(brokers.atFirst);
        try (RecordedLoad load = new RecordedLoad(CLUSTER, "history-" + name)) {
            killEach(load, brokers.afterFirst);
            if (brokers != Brokers.STOCK) {
                await("segments on the SSD")
                        .untilAsserted(() -> assertThat(
                                        CLUSTER.segments(1).of(load.topic()).segments())
                                .extracting(Segment::state)
                                .contains(State.ONLY_CACHE, State.WITHOUT_CACHE));
            }
            killEach(load, brokers.afterSecond);
            load.endAndWrite(history);
        }
    }

    private static void killEach(RecordedLoad load, boolean patched) {
        for (int id = 1; id <= TieredCluster.SIZE; id++) {
            load.awaitProgress();
            CLUSTER.broker(id).kill();
            load.awaitProgress();
            CLUSTER.start(id, config -> patched ? config.patched() : config.stock());
            CLUSTER.awaitInSync(load.topic());
        }
    }
}

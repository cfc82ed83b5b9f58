/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.identity.SsdIdentity;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a drain does with data that is not an ordinary partition's. */
class DrainTest {
    @TempDir
    Path root;

    private FakeBroker broker;
    private Path partition = Path.of("");

    @BeforeEach
    void start() throws IOException {
        broker = new FakeBroker(root, 1, 1, 4 * FakeBroker.SEGMENT_BYTES);
        partition = broker.partition("orders-0");
    }

    private void drain() throws Exception {
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        for (int i = 0; i < 4; i++) {
            broker.run("drain");
            broker.copy();
            broker.evict();
        }
        broker.run("drain");
    }

    /** Kafka found at its start that the controller knows nothing of this replica, and keeps it. */
    private Path makeStray() throws IOException {
        FileChannel channel = broker.open(FakeBroker.segment(partition, 0));
        FakeBroker.append(channel, new byte[1000]);
        Path stray = partition.resolveSibling("orders-0.0123456789abcdef-stray");
        Files.move(partition, stray);
        broker.tier().renamed(channel, FakeBroker.segment(stray, 0));
        return FakeBroker.segment(stray, 0);
    }

    @Test
    void strayReplicasLeaveTheSsd() throws Exception {
        Path stray = makeStray();
        drain();
        assertThat(broker.stateOf(stray)).isEqualTo(SegmentState.WITHOUT_CACHE);
        assertThat(stray).isRegularFile().hasSize(1000);
        assertThat(broker.ssds.get(0)).isEmptyDirectory();
        assertThat(broker.listener.events).contains("drained");
    }

    @Test
    void aStrayReplicaThatIsLostWithItsSsdDoesNotKeepTheBrokerFromStarting() throws Exception {
        Path stray = makeStray();
        Path ssdFile = Files.readSymbolicLink(stray);
        Files.delete(ssdFile);
        broker.restart();
        assertThat(stray).as("its disk may come back").isSymbolicLink();
    }

    /** Somebody has deleted meta.properties, and Kafka has made a new one. */
    @Test
    void segmentsUnderAnOldDirectoryIdLeaveTheSsd() throws Exception {
        Path segment = FakeBroker.segment(partition, 0);
        FakeBroker.append(broker.open(segment), new byte[1000]);
        Path identity = broker.ssds.get(0).resolve(SsdIdentity.FILE_NAME);
        Files.writeString(identity, "log.dir.id-before=1\n", StandardOpenOption.APPEND);
        Path old = Files.move(
                broker.ssds.get(0).resolve("id-0"), broker.ssds.get(0).resolve("id-before"));
        Files.delete(segment);
        Files.createSymbolicLink(segment, old.resolve("orders-0/00000000000000000000.log"));
        broker.restart();
        assertThat(broker.listener.events).contains("unknownOnSsd id-before");
        broker.open(segment);
        drain();
        assertThat(segment).isRegularFile().hasSize(1000);
        assertThat(broker.ssds.get(0)).isEmptyDirectory();
        assertThat(broker.listener.events).contains("drained");
    }
}

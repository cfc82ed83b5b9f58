/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A partition on a fake broker with two log directories and two SSDs, whose SSD files a test can lose. Not thread safe.
 */
final class DamagedLog {
    final FakeBroker broker;
    final Path partition;
    final Map<Long, byte[]> written = new TreeMap<>();

    DamagedLog(Path dir) throws IOException {
        broker = new FakeBroker(dir, 2, 2, 4 * FakeBroker.SEGMENT_BYTES);
        partition = broker.partition("topic-0");
    }

    /** A segment with the files that Kafka writes beside it, in the first log directory, whose SSD is the first. */
    FileChannel segment(long baseOffset) throws IOException {
        FileChannel channel = broker.open(FakeBroker.segment(partition, baseOffset));
        byte[] data = new byte[1000];
        Arrays.fill(data, (byte) (baseOffset / 100 + 1));
        FakeBroker.append(channel, data);
        for (String suffix : List.of("index", "timeindex", "txnindex", "snapshot")) {
            Files.createFile(beside(baseOffset, suffix));
        }
        written.put(baseOffset, data);
        return channel;
    }

    Path beside(long baseOffset, String suffix) {
        return partition.resolve(String.format("%020d.%s", baseOffset, suffix));
    }

    /** Segments 0 and 100 on both devices, 200 and 300 on the SSD only; Kafka's own files; a clean shutdown. */
    void life() throws Exception {
        segment(0);
        segment(100);
        segment(200);
        broker.copy();
        FileChannel again = broker.open(FakeBroker.segment(partition, 200));
        again.truncate(again.size() - 1); // puts the link back
        written.put(200L, FakeBroker.read(again));
        segment(300);
        Files.createFile(beside(350, "snapshot"));
        Files.createFile(partition.resolve("leader-epoch-checkpoint"));
        Files.createFile(partition.resolve("partition.metadata"));
        for (Path hdd : broker.hdds) {
            Files.createFile(cleanShutdownFile(hdd));
        }
        Files.writeString(broker.hdds.get(0).resolve("recovery-point-offset-checkpoint"), "0\n1\ntopic 0 350\n");
        assertThat(Files.isSymbolicLink(FakeBroker.segment(partition, 100))).isFalse();
        assertThat(FakeBroker.segment(partition, 200)).isSymbolicLink();
        assertThat(FakeBroker.segment(partition, 300)).isSymbolicLink();
        broker.listener.events.clear();
    }

    static Path cleanShutdownFile(Path hdd) {
        return hdd.resolve(".kafka_cleanshutdown");
    }

    void lose(long baseOffset) throws IOException {
        Files.delete(Files.readSymbolicLink(FakeBroker.segment(partition, baseOffset)));
    }

    void restartTruncating() throws IOException {
        broker.configure(OnMissing.TRUNCATE);
        broker.restart();
        broker.configure(OnMissing.FAIL);
    }

    List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(partition)) {
            return files.map(SegmentFileName::nameOf).sorted().toList();
        }
    }

    /** The log is unchanged up to {@code end}; an empty segment follows, and nothing else; no copies are left over. */
    void assertTruncatedTo(long end) throws IOException {
        for (Map.Entry<Long, byte[]> segment : written.entrySet()) {
            Path path = FakeBroker.segment(partition, segment.getKey());
            if (segment.getKey() < end) {
                assertThat(path).hasBinaryContent(segment.getValue());
                assertThat(beside(segment.getKey(), "index")).exists();
            } else if (segment.getKey() > end) {
                assertThat(Files.exists(path, NOFOLLOW_LINKS)).isFalse();
                assertThat(beside(segment.getKey(), "snapshot")).doesNotExist();
                assertThat(beside(segment.getKey(), "index")).doesNotExist();
            }
        }
        Path first = FakeBroker.segment(partition, end);
        assertThat(first).isEmptyFile();
        assertThat(Files.isSymbolicLink(first)).isFalse();
        assertThat(beside(end, "snapshot")).exists();
        assertThat(beside(end, "index")).doesNotExist();
        assertThat(beside(end, "timeindex")).doesNotExist();
        assertThat(beside(end, "txnindex")).doesNotExist();
        assertThat(partition.resolve("leader-epoch-checkpoint")).exists();
        assertThat(partition.resolve("partition.metadata")).exists();
        assertThat(broker.ssdFiles()).allMatch(file -> SegmentFileName.leadingOffset(file) < end);
        assertThat(cleanShutdownFile(broker.hdds.get(0))).doesNotExist();
    }
}

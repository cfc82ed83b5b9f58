/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.file.FileStamp;
import io.evenkeel.tiered.file.SegmentFileName;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A partition's life with each file operation failing in turn: afterwards the broker is started anew, and every byte
 * that was written must be there, and nothing else on either disk.
 */
@Tag("slow")
class EveryStepFailsTest {
    private static final int ENOUGH = 1_000;

    @TempDir
    Path root;

    /** What the partition's segments hold, by base offset: before the action under way, and after it. */
    private final Map<Long, byte[]> before = new TreeMap<>();

    private final Map<Long, byte[]> after = new TreeMap<>();
    private final Map<Long, FileChannel> channels = new TreeMap<>();
    private final List<FileChannel> opened = new ArrayList<>();

    private interface Action {
        void run() throws Exception;
    }

    @ParameterizedTest
    @EnumSource(FaultyFileOps.Fault.class)
    void nothingIsLostWhicheverStepFails(FaultyFileOps.Fault fault) throws Exception {
        for (int k = 1; k < ENOUGH; k++) {
            FaultyFileOps files = new FaultyFileOps(fault, k);
            FakeBroker broker = new FakeBroker(Files.createDirectories(root.resolve(fault + "-" + k)), 1, 1, 4 << 20);
            live(broker, files);
            if (!files.hasFailed()) {
                assertThat(k).as("operations").isGreaterThan(80);
                assertThat(broker.listener.events)
                        .contains("spilled " + FakeBroker.segment(root, 260).getFileName(), "drained");
                return;
            }
            check(broker, fault + " at operation " + k + ": " + files.failed());
            for (FileChannel channel : opened) {
                channel.close();
            }
            opened.clear();
        }
        throw new AssertionError("the life never ended");
    }

    /** Ends at the first error that a broker would not survive. */
    private void live(FakeBroker broker, FaultyFileOps files) throws IOException {
        before.clear();
        after.clear();
        channels.clear();
        Path partition = broker.partition("topic-0");
        try {
            broker.restart(files);
            create(broker, partition, 0, 700_000);
            create(broker, partition, 100, 900_000);
            doing(broker::copy);
            create(broker, partition, 200, 800_000);
            doing(broker::copy);
            create(broker, partition, 300, 1_000_000);
            doing(broker::evict);
            truncateTo(broker, partition, 200, 300_000);
            append(200, 50_000);
            create(broker, partition, 300, 10_000);
            doing(broker::copy);
            truncateTo(broker, partition, 200, 100);
            delete(broker, partition, 0);
            delete(broker, partition, 100);
            create(broker, partition, 250, 10);
            doing(broker::copy);
            create(broker, partition, 260, 200_000);
            files.full(true);
            append(260, 100_000); // moves to the HDD
            files.full(false);
            doing(broker::evict);
            create(broker, partition, 400, 300_000);
            doing(broker::copy);
            drain(broker);
        } catch (FaultyFileOps.Killed | IOException e) {
            // the broker has ended, or its log directory has failed: the contents of the disks are checked
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private void drain(FakeBroker broker) throws Exception {
        doing(() -> broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN)));
        for (int i = 0; i < 3; i++) {
            doing(() -> broker.run("drain"));
            doing(broker::copy);
            doing(broker::evict);
        }
    }

    private void doing(Action action) throws Exception {
        action.run();
        before.clear();
        before.putAll(after);
    }

    private void create(FakeBroker broker, Path partition, long baseOffset, int length) throws Exception {
        after.put(baseOffset, new byte[0]);
        doing(() -> {
            FileChannel channel = broker.open(FakeBroker.segment(partition, baseOffset));
            opened.add(channel);
            channels.put(baseOffset, channel);
        });
        append(baseOffset, length);
    }

    private void append(long baseOffset, int length) throws Exception {
        byte[] old = bytesOf(after, baseOffset);
        byte[] grown = Arrays.copyOf(old, old.length + length);
        for (int i = old.length; i < grown.length; i++) {
            grown[i] = (byte) (i * 31L + baseOffset + grown.length);
        }
        after.put(baseOffset, grown);
        doing(() -> FakeBroker.append(channel(baseOffset), Arrays.copyOfRange(grown, old.length, grown.length)));
    }

    /** As Kafka does: the newer segments go first, then the bytes. */
    private void truncateTo(FakeBroker broker, Path partition, long baseOffset, int length) throws Exception {
        for (long newer :
                channels.keySet().stream().filter(base -> base > baseOffset).toList()) {
            delete(broker, partition, newer);
        }
        after.put(baseOffset, Arrays.copyOf(bytesOf(after, baseOffset), length));
        doing(() -> channel(baseOffset).truncate(length));
    }

    private void delete(FakeBroker broker, Path partition, long baseOffset) throws Exception {
        after.remove(baseOffset);
        FileChannel channel = channel(baseOffset);
        channels.remove(baseOffset);
        Path path = FakeBroker.segment(partition, baseOffset);
        Path deleted = path.resolveSibling(path.getFileName() + ".deleted");
        doing(() -> {
            broker.rename(channel, path, deleted);
            broker.delete(channel, deleted);
        });
    }

    private FileChannel channel(long baseOffset) {
        FileChannel channel = channels.get(baseOffset);
        if (channel == null) {
            throw new AssertionError("no segment " + baseOffset);
        }
        return channel;
    }

    private static byte[] bytesOf(Map<Long, byte[]> segments, long baseOffset) {
        return segments.getOrDefault(baseOffset, new byte[0]);
    }

    private void check(FakeBroker broker, String what) throws Exception {
        broker.restart();
        Path partition = broker.partition("topic-0");
        Map<Long, byte[]> found = new TreeMap<>();
        try (var paths = Files.list(partition)) {
            for (Path path : paths.sorted().toList()) {
                SegmentFileName name = SegmentFileName.parse(path);
                assertThat(name).as(what + " left " + path).isNotNull();
                if (name != null && name.isLive()) {
                    FileChannel channel = broker.open(path);
                    opened.add(channel);
                    found.put(name.baseOffset(), FakeBroker.read(channel));
                }
            }
        }
        found.forEach((base, bytes) -> {
            assertThat(isBetween(bytes, before.get(base), after.get(base)))
                    .as(what + ", segment " + base + " has " + bytes.length + " bytes")
                    .isTrue();
        });
        before.forEach((base, bytes) -> {
            if (after.containsKey(base)) {
                assertThat(found).as(what).containsKey(base);
            }
        });
        assertNoOrphans(broker, partition, what);
        broker.copy();
        assertThat(broker.listener.events).as(what).doesNotContain("evictFailed 00000000000000000000.log");
    }

    /** One or the other, or what an append under way had written. */
    private static boolean isBetween(byte[] bytes, byte @Nullable [] before, byte @Nullable [] after) {
        return Arrays.equals(bytes, before)
                || Arrays.equals(bytes, after)
                || (before != null
                        && after != null
                        && bytes.length > before.length
                        && bytes.length < after.length
                        && Arrays.equals(bytes, Arrays.copyOf(after, bytes.length)));
    }

    private static void assertNoOrphans(FakeBroker broker, Path partition, String what) throws IOException {
        for (Path file : broker.ssdFiles()) {
            long base = SegmentFileName.baseOffsetOnSsd(file);
            Path hdd = FakeBroker.segment(partition, base);
            boolean linked =
                    Files.isSymbolicLink(hdd) && Files.readSymbolicLink(hdd).equals(file);
            assertThat(linked || FileStamp.areSame(file, hdd))
                    .as(what + ", orphan " + file)
                    .isTrue();
        }
    }
}

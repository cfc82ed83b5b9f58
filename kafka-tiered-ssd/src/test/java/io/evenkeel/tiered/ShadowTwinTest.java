/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.ShadowStats;
import io.evenkeel.tiered.api.TierSnapshot;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same traffic in a tier and in its shadow: the shadow says what the tier does, byte for byte. */
class ShadowTwinTest {
    private static final long CAPACITY_BYTES = 12L << 20;
    private static final int PARTITIONS = 3;
    private static final int APPEND_BYTES = 32 << 10;
    private static final int ROUNDS = 1_500;

    @TempDir
    Path root;

    /** A broker and the segments that it has open. */
    private static final class Twin {
        final FakeBroker broker;
        final List<List<FileChannel>> partitions = new ArrayList<>();

        Twin(FakeBroker broker) throws Exception {
            this.broker = broker;
            broker.wallClockIsOurs();
            for (int i = 0; i < PARTITIONS; i++) {
                partitions.add(new ArrayList<>());
                roll(i);
            }
        }

        void roll(int partition) throws Exception {
            List<FileChannel> segments = partitions.get(partition);
            segments.add(broker.open(segment(partition, segments.size())));
        }

        private Path segment(int partition, int number) throws Exception {
            return FakeBroker.segment(broker.partition("orders-" + partition), number);
        }

        FileChannel active(int partition) {
            List<FileChannel> segments = partitions.get(partition);
            return segments.get(segments.size() - 1);
        }

        /** The time of the file is that of the broker's clock. */
        void append(int partition) throws Exception {
            FakeBroker.append(active(partition), new byte[APPEND_BYTES]);
            long nowMs = TimeUnit.NANOSECONDS.toMillis(broker.nowNanos());
            Files.setLastModifiedTime(
                    segment(partition, partitions.get(partition).size() - 1), FileTime.fromMillis(nowMs));
        }

        void read(int partition, int segment, long position) throws Exception {
            partitions.get(partition).get(segment).read(ByteBuffer.allocate(APPEND_BYTES), position);
        }

        void work() throws Exception {
            broker.pass(TimeUnit.SECONDS.toNanos(1));
            broker.copy();
            broker.evict();
            broker.run("shadow");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theShadowHitsWhatTheTierHits(long seed) throws Exception {
        Twin real = new Twin(new FakeBroker(root.resolve("real"), 1, 1, CAPACITY_BYTES));
        FakeBroker stock = new FakeBroker(root.resolve("shadow"), 1, 0, CAPACITY_BYTES);
        stock.restartInShadow(1);
        Twin shadow = new Twin(stock);
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            int partition = random.nextInt(PARTITIONS);
            boolean rolls = real.active(partition).size() + APPEND_BYTES > FakeBroker.SEGMENT_BYTES
                    || real.broker.tier().shouldRoll(real.active(partition), APPEND_BYTES);
            int segments = real.partitions.get(partition).size();
            int read = Math.max(0, segments - 1 - (int) Math.abs(random.nextGaussian() * 4));
            long position = random.nextInt((int) FakeBroker.SEGMENT_BYTES);
            for (Twin twin : List.of(real, shadow)) {
                if (rolls) {
                    twin.roll(partition);
                }
                twin.append(partition);
                twin.work();
                twin.read(partition, read, position);
            }
        }
        TierSnapshot did = real.broker.tier().snapshot();
        ShadowStats would = stock.tier().snapshot().shadow();
        assertThat(would.evictedSegments()).isEqualTo(did.evictedSegments()).isGreaterThan(20);
        assertThat(would.ssd().readBytes()).isEqualTo(did.ssdUse().readBytes()).isPositive();
        assertThat(would.hdd().readBytes()).isEqualTo(did.hddUse().readBytes()).isPositive();
        assertThat(would.refusedSegments()).isEqualTo(did.refusedBySsd());
        assertThat(stock.tier().states().keySet())
                .as("all are real files")
                .allMatch(file -> Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS));
    }
}

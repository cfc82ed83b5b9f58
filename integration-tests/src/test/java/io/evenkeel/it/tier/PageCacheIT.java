/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.it.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.testkit.Broker;
import io.evenkeel.testkit.BrokerConfig;
import io.evenkeel.testkit.Brokers;
import io.evenkeel.testkit.Records;
import io.evenkeel.testkit.SegmentFiles;
import io.evenkeel.testkit.SegmentFiles.Segment;
import io.evenkeel.testkit.SegmentFiles.State;
import io.evenkeel.testkit.Topics;
import io.evenkeel.testkit.disk.Disks;
import io.evenkeel.testkit.disk.LoopDisk;
import io.evenkeel.testkit.disk.PageCache;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Neither side of a copy disturbs the page cache: cached pages stay, and pages that no client has read do not enter it.
 *
 * <p>The broker's page cache serves its consumers. Copies through the page cache would evict pages that consumers are
 * about to read.
 */
@Timeout(240)
class PageCacheIT {
    private static final long DISK_BYTES = 512L << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(60);
    private static final int PAGE_BYTES = 4096;

    @RegisterExtension
    final Disks disks = new Disks();

    @RegisterExtension
    final Brokers brokers = Brokers.forked();

    @TempDir
    Path dir = Path.of("target");

    @Test
    void copyLeavesThePageCacheAsItWasOnBothSides() throws IOException {
        LoopDisk hdd = disks.ext4(dir, "hdd", DISK_BYTES);
        LoopDisk ssd = disks.ext4(dir, "ssd", DISK_BYTES);
        BrokerConfig config = config(hdd, ssd);
        produceToSsdOnly(config);

        List<Segment> sealed = SegmentFiles.of(config).of("pages").in(State.ONLY_CACHE).stream()
                .limit(10)
                .toList();
        assertThat(sealed).hasSize(10);
        List<Segment> cold = sealed.subList(0, 5);
        List<Segment> warm = sealed.subList(5, 10);
        for (Segment segment : cold) {
            PageCache.drop(onSsd(segment));
        }
        for (Segment segment : warm) {
            Files.copy(onSsd(segment), OutputStream.nullOutputStream());
        }
        long hddReadBefore = hdd.traffic().readBytes();

        brokers.start(config);
        await().atMost(DEADLINE)
                .until(() ->
                        SegmentFiles.of(config).of("pages").in(State.CACHED).size() >= sealed.size());

        assertStillAsTheyWere(cold, warm);
        for (Segment segment : sealed) {
            // cutting the file to its length brings in its last page
            assertThat(PageCache.residentBytes(segment.path())).as("" + segment).isLessThanOrEqualTo(PAGE_BYTES);
        }
        long copiedBytes = sealed.stream().mapToLong(Segment::bytes).sum();
        assertThat(hdd.traffic().readBytes() - hddReadBefore)
                .as("what was read back came from the device")
                .isGreaterThanOrEqualTo(copiedBytes);

        assertBufferedCopyIsSeen(cold.get(0), hdd.path().resolve("buffered"));
    }

    private BrokerConfig config(LoopDisk hdd, LoopDisk ssd) {
        return BrokerConfig.under(dir.resolve("node"), 0, 0)
                .withLogDirs(hdd.path().resolve("kafka"))
                .withSsdDirs(ssd.path().resolve("tier"))
                .patched()
                .with("log.segment.bytes", 4 << 20)
                .with("tiered.ssd.capacity.bytes", DISK_BYTES / 2);
    }

    private void produceToSsdOnly(BrokerConfig config) {
        Broker lazy = brokers.start(config.with("tiered.ssd.copy.interval.ms", 3_600_000));
        Records records = new Records("pages", 1, 4000);
        new Topics(lazy).create(records, Map.of());
        records.produce(lazy.clientProperties(), 11_000);
        lazy.stop();
    }

    private static void assertStillAsTheyWere(List<Segment> cold, List<Segment> warm) throws IOException {
        for (Segment segment : cold) {
            assertThat(PageCache.residentBytes(onSsd(segment))).as("" + segment).isZero();
        }
        long warmBytes = 0;
        long stillWarmBytes = 0;
        for (Segment segment : warm) {
            warmBytes += segment.bytes();
            stillWarmBytes += PageCache.residentBytes(onSsd(segment));
        }
        // A copy that disturbs them drops all. The kernel drops some by itself: DAMON pages whole regions out.
        assertThat(stillWarmBytes).as("still in memory of " + warm).isGreaterThan(warmBytes / 2);
    }

    /** A copy through the page cache, to show that the assertions of this test can fail. */
    private static void assertBufferedCopyIsSeen(Segment cold, Path buffered) throws IOException {
        Files.copy(onSsd(cold), buffered);
        assertThat(PageCache.residentBytes(onSsd(cold))).as("this can fail").isPositive();
        assertThat(PageCache.residentBytes(buffered)).as("this can fail").isGreaterThan(PAGE_BYTES);
    }

    private static Path onSsd(Segment segment) {
        return Objects.requireNonNull(segment.ssdFile());
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.benchmarks.disk;

import io.evenkeel.benchmarks.lab.Arguments;
import java.util.List;
import java.util.Set;

/**
 * Where reads go with an LRU block cache on the SSD, in front of the HDD, and with the newest data on the SSD: a model,
 * in which no disk takes part.
 *
 * <p>A producer appends. One consumer reads the new data, one lags by less than the SSD holds, and one reads data that
 * is older than all that the SSD holds. Before the SSD is the page cache, an LRU of blocks too. The block cache writes
 * through, as FlashCache and OpenCAS can: all that is written or read from the HDD enters it. Without it, what is
 * appended is on the SSD until newer data needs the space, and a read changes nothing.
 */
public final class BlockCache {
    private static final Set<String> ARGUMENTS =
            Set.of("--page-cache-mib", "--ssd-mib", "--produce-mb", "--lag-mb", "--seconds");
    private static final long FAR_BACK = 1L << 40;
    private static final int MB = 1_000_000;
    private static final int MIB = 1 << 20;
    private static final int STEPS_PER_SECOND = 10;

    /** Which of the two designs a run has. */
    enum Policy {
        LRU("LRU block cache (a model)"),
        NEWEST("newest on the SSD, ours (a model)");

        private final String title;

        Policy(String title) {
            this.title = title;
        }
    }

    /** The reads of one consumer. */
    private static final class Reads {
        private long position;
        private long all;
        private long fromHdd;

        Reads(long position) {
            this.position = position;
        }

        double hddPercent() {
            return 100.0 * fromHdd / Math.max(1, all);
        }
    }

    private final Policy policy;
    private final long ssdBytes;
    private final BlockLru pageCache;
    private final BlockLru ssd;
    private long end = FAR_BACK;
    private long ssdWrittenBlocks;

    private final Reads realTime = new Reads(FAR_BACK);
    private final Reads near;
    private final Reads far = new Reads(0);

    BlockCache(Policy policy, long pageCacheBytes, long ssdBytes) {
        this.policy = policy;
        this.ssdBytes = ssdBytes;
        this.pageCache = new BlockLru(pageCacheBytes);
        this.ssd = new BlockLru(ssdBytes);
        this.near = new Reads(FAR_BACK - ssdBytes / 2);
        for (long position = FAR_BACK - ssdBytes; position < FAR_BACK; position += BlockLru.BLOCK_BYTES) {
            ssd.add(block(position));
        }
    }

    /** Arguments: see {@code benchmarks/block-cache --help}. */
    public static void main(String[] args) {
        Arguments arguments = new Arguments(args, ARGUMENTS);
        int produced = arguments.number("--produce-mb", 15);
        int lag = arguments.number("--lag-mb", 80);
        int seconds = arguments.number("--seconds", 600);
        long ssdBytes = (long) arguments.number("--ssd-mib", 8192) * MIB;
        System.out.printf(
                "A model: %d MB/s produced; laggards read %d MB/s of older data than the SSD's %d MiB; %d s:%n%n",
                produced, lag, ssdBytes / MIB, seconds);
        System.out.println(
                "| | from the HDD, %: real-time / within the SSD's reach / beyond | written to the SSD, MB/s |");
        System.out.println("| --- | --- | --- |");
        for (Policy policy : List.of(Policy.values())) {
            BlockCache model = new BlockCache(policy, (long) arguments.number("--page-cache-mib", 840) * MIB, ssdBytes);
            model.run(produced, lag, seconds);
            System.out.println(model.row(seconds));
        }
    }

    void run(int producedMb, int lagMb, int seconds) {
        long produced = (long) producedMb * MB / STEPS_PER_SECOND;
        long lag = (long) lagMb * MB / STEPS_PER_SECOND;
        for (int step = 0; step < seconds * STEPS_PER_SECOND; step++) {
            append(produced);
            read(realTime, produced);
            read(near, produced);
            read(far, lag);
        }
    }

    double realTimeHddPercent() {
        return realTime.hddPercent();
    }

    double nearHddPercent() {
        return near.hddPercent();
    }

    double farHddPercent() {
        return far.hddPercent();
    }

    private String row(int seconds) {
        return "| %s | %.1f / %.1f / %.1f | %.1f |"
                .formatted(
                        policy.title,
                        realTimeHddPercent(),
                        nearHddPercent(),
                        farHddPercent(),
                        (double) ssdWrittenBlocks * BlockLru.BLOCK_BYTES / MB / seconds);
    }

    private void append(long bytes) {
        for (long block = block(end); block < block(end + bytes); block++) {
            pageCache.add(block);
            ssd.add(block);
            ssdWrittenBlocks++;
        }
        end += bytes;
    }

    private void read(Reads reads, long bytes) {
        for (long block = block(reads.position); block < block(reads.position + bytes); block++) {
            reads.all++;
            if (!pageCache.hit(block)) {
                if (!isOnSsd(block)) {
                    reads.fromHdd++;
                }
                pageCache.add(block);
            }
        }
        reads.position += bytes;
    }

    private boolean isOnSsd(long block) {
        if (policy == Policy.NEWEST) {
            return block >= block(end - ssdBytes);
        }
        boolean hit = ssd.hit(block);
        if (!hit) {
            ssd.add(block);
            ssdWrittenBlocks++;
        }
        return hit;
    }

    private static long block(long position) {
        return position / BlockLru.BLOCK_BYTES;
    }
}

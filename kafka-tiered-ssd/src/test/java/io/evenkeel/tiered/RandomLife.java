/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import io.evenkeel.tiered.api.SegmentState;
import io.evenkeel.tiered.api.TierMode;
import io.evenkeel.tiered.identity.IdentityFile;
import io.evenkeel.tiered.inspect.OfflineDrain;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * What a broker does to one partition, at random: it appends, rolls, truncates and deletes, runs the tier's workers,
 * fails over, drains, is stopped and started, now and then as a stock broker. Not thread safe.
 */
final class RandomLife {
    static final long CAPACITY_BYTES = FakeBroker.SEGMENT_BYTES + (100 << 10);

    private interface Action {
        void run() throws Exception;
    }

    private final VolatileDisks disks;
    private final FakeBroker broker;
    private final FakePartition partition;
    private final Random random;

    /** The number of the start that both disks have been told of; 0 while a drain may remove it. */
    private long generation;

    private final List<Action> running = List.of(
            this::append,
            this::appendAndFlush,
            this::appendAndFlush,
            this::roll,
            this::roll,
            this::copy,
            this::copy,
            this::evict,
            this::truncate,
            this::deleteOldest,
            this::deleteTopic,
            this::appendToFullSsd,
            this::failRead,
            this::drainAndReturn);

    private final List<Action> stopped =
            List.of(this::start, this::runAsStock, this::drainWhileStopped, this::compactAndStart);

    RandomLife(VolatileDisks disks, FakeBroker broker, Random random) {
        this.disks = disks;
        this.broker = broker;
        this.random = random;
        this.partition = new FakePartition(disks, broker, "topic-0", random);
    }

    /** What must be there after a power cut now, by base offset. */
    Map<Long, byte[]> flushed() {
        return partition.flushed();
    }

    long generation() {
        return generation;
    }

    /** The generation in the older identity file of the two; 0 when there is only one, or none. */
    static long generation(Path root) throws IOException {
        IdentityFile ssd = IdentityFile.read(root.resolve("ssd0"));
        IdentityFile hdd = IdentityFile.read(root.resolve("hdd0"));
        String key = "generation";
        return ssd == null || hdd == null ? 0 : Math.min(ssd.number(key, root), hdd.number(key, root));
    }

    /** Only the running process knows of an fsync that has failed, so no action of a stopped broker follows it. */
    void act() throws Exception {
        int actions = running.size() + (disks.hasFailedFsync() ? 0 : stopped.size());
        int action = random.nextInt(actions);
        (action < running.size() ? running.get(action) : stopped.get(action - running.size())).run();
    }

    /** The process begins anew on what the disks show. */
    void start() throws Exception {
        disks.full(false);
        disks.failingReads(false);
        broker.restart(disks);
        generation = generation(broker.root);
        partition.load();
    }

    /**
     * A stock broker or the tool may come first, or the SSD may fail at once: then no process fsyncs the changes that
     * the killed one had not fsynced.
     */
    void startAfterKill() throws Exception {
        partition.close();
        disks.full(false);
        disks.failingReads(false);
        switch (random.nextInt(8)) {
            case 0 -> {
                partition.deleteAsStock();
                drainWhileStopped();
            }
            case 1 -> {
                partition.deleteAsStock();
                start();
            }
            case 2 -> compactAndStart();
            case 3, 4 -> {
                start();
                if (!disks.hasFailedFsync()) {
                    failRead();
                    appendAndFlush();
                }
            }
            default -> start();
        }
    }

    private void append() throws IOException {
        partition.append();
    }

    private void appendAndFlush() throws IOException {
        partition.append();
        partition.flush();
    }

    private void roll() throws IOException {
        partition.roll();
    }

    private void copy() throws Exception {
        broker.copy();
    }

    private void evict() throws Exception {
        broker.evict();
    }

    private void truncate() throws IOException {
        partition.truncate();
        if (random.nextBoolean()) {
            appendAndFlush(); // as a follower goes on
        }
    }

    private void deleteOldest() throws IOException {
        partition.deleteOldest();
    }

    private void deleteTopic() throws IOException {
        partition.deleteAll();
    }

    private void appendToFullSsd() throws IOException {
        disks.full(true);
        partition.append();
        disks.full(false);
        if (random.nextBoolean()) {
            partition.flush();
        }
    }

    /** Only where there is a copy, else Kafka would give up the log directory. */
    private void failRead() throws Exception {
        for (Map.Entry<Long, FakePartition.Log> log : partition.logs().entrySet()) {
            Path path = partition.segment(log.getKey());
            if (broker.stateOf(path) == SegmentState.CACHED && log.getValue().length() > 0) {
                disks.failingReads(true);
                log.getValue().channel.read(ByteBuffer.allocate(1), 0);
                disks.failingReads(false);
                return;
            }
        }
    }

    private void drainAndReturn() throws Exception {
        generation = 0;
        broker.tier().reconfigure(FakeBroker.dynamicSettings(TierMode.DRAIN));
        for (int i = 0; i < 3; i++) {
            broker.run("drain");
            broker.copy();
            if (i < 2 || random.nextBoolean()) {
                broker.evict();
            }
        }
        broker.tier().reconfigure(FakeBroker.dynamicSettings());
        // An SSD that could not be claimed durably is suspect and gets no files.
        generation = disks.hasFailedFsync() ? 0 : generation(broker.root);
    }

    private void runAsStock() throws Exception {
        partition.appendAsStock();
        start();
    }

    private void drainWhileStopped() throws Exception {
        generation = 0;
        OfflineDrain drain = new OfflineDrain(disks, broker.identities(), broker.ssds);
        drain.copyLinks(broker.hdds.get(0), bytes -> {});
        if (random.nextBoolean()) {
            drain.emptySsds();
        }
        start();
    }

    private void compactAndStart() throws Exception {
        partition.compact();
        start();
    }

    /** Closes what a process that is gone would not hold any more. */
    void close() throws IOException {
        partition.close();
    }
}

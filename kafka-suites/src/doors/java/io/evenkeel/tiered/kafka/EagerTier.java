/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import io.evenkeel.core.DeviceCeilings;
import io.evenkeel.core.Worker;
import io.evenkeel.tiered.TieredSsd;
import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.api.TierSettings;
import io.evenkeel.tiered.api.TierSnapshot;
import io.evenkeel.tiered.coldread.ColdReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.apache.kafka.storage.internals.log.LogDirFailureChannel;

/**
 * A shipped tier whose copier and evictor are run whenever there may be something to do. Another thread calls
 * {@link #readCold}. Thread safe.
 */
final class EagerTier {
    private static final int STEPS_AT_A_TIME = 1000;
    private static final int PASSES_BEFORE_EVICTION = 20;

    private final TieredSsd tier;
    private final TierSettings settings;
    private final List<LogDirMeta> logDirs;
    private final Zeal zeal;
    private final BooleanSupplier standsStill;
    private final List<Worker.Step> copiers = new ArrayList<>();
    private final List<Worker.Step> evictors = new ArrayList<>();
    private final List<ColdReader> coldReaders;
    private final ReentrantLock working = new ReentrantLock();
    private int passes;
    private long failures;

    /**
     * @param standsStill asked before all work
     * @param wakeColdReads makes {@link #readCold} run
     * @throws IOException when the disks lack files that they should hold
     */
    EagerTier(
            TierSettings settings,
            List<LogDirMeta> logDirs,
            LogDirFailureChannel failures,
            Zeal zeal,
            BooleanSupplier standsStill,
            Runnable wakeColdReads)
            throws IOException {
        this.settings = settings;
        this.zeal = zeal;
        this.standsStill = standsStill;
        this.logDirs = List.copyOf(logDirs);
        Map<Path, String> names = new HashMap<>();
        logDirs.forEach(logDir -> names.put(logDir.path(), logDir.path().toString()));
        this.tier = new TieredSsd(
                settings,
                logDirs,
                LeftOut.HERE == LeftOut.LINK ? new WithoutLinksBack() : new NothingInMemory(),
                new LoggingListener(failures, names, Path.of("metadata")),
                System::nanoTime,
                new Random(0));
        tier.workers(new DeviceCeilings(), System::currentTimeMillis).forEach((name, step) -> {
            if (name.startsWith("copier")) {
                copiers.add(step);
            } else if (name.startsWith("evictor")) {
                evictors.add(step);
            }
        });
        coldReaders = List.copyOf(tier.coldReaders().values());
        coldReaders.forEach(reader -> reader.start(wakeColdReads));
    }

    TieredSsd tier() {
        return tier;
    }

    Path ssdDir() {
        return settings.ssdDirs().get(0);
    }

    boolean isGone() {
        return logDirs.stream().noneMatch(logDir -> Files.isDirectory(logDir.path()));
    }

    /** Copies and evicts everything possible; does nothing while another thread does so. */
    void work() {
        work(zeal == Zeal.EVICTS);
    }

    /** To be called about once a millisecond. */
    void workInBackground() {
        work(zeal == Zeal.EVICTS || (zeal == Zeal.EVICTS_LATER && ++passes % PASSES_BEFORE_EVICTION == 0));
    }

    private void work(boolean evicts) {
        if (zeal == Zeal.WAITS || !working.tryLock()) {
            return;
        }
        try {
            if (standsStill.getAsBoolean()) {
                return;
            }
            copiers.forEach(this::untilIdle);
            if (evicts) {
                evictors.forEach(this::untilIdle);
            }
        } finally {
            working.unlock();
        }
    }

    private void untilIdle(Worker.Step step) {
        try {
            long waitNanos = 0;
            for (int i = 0; i < STEPS_AT_A_TIME && waitNanos <= 0; i++) {
                waitNanos = step.run(System.nanoTime());
            }
        } catch (Exception | AssertionError e) {
            failures++;
            throw new IllegalStateException(e); // the shipped worker would log it and go on
        }
    }

    /** A step of each cold reader; answers when the next one is due. */
    long readCold(long nowNanos) throws IOException {
        long waitNanos = Long.MAX_VALUE;
        for (ColdReader reader : coldReaders) {
            waitNanos = Math.min(waitNanos, reader.step(nowNanos));
        }
        return waitNanos;
    }

    /** When this returns, all work that began before the standstill has ended. */
    void awaitStandstill() {
        working.lock();
        try {
            // the thread that was at work has ended
        } finally {
            working.unlock();
        }
    }

    /** From here on nothing is copied or evicted, each copier's buffer is free, and who reads does so itself. */
    void stop() {
        coldReaders.forEach(ColdReader::stop);
        working.lock();
        try {
            copiers.clear();
            evictors.clear();
        } finally {
            working.unlock();
        }
    }

    private long failures() {
        working.lock();
        try {
            return failures;
        } finally {
            working.unlock();
        }
    }

    Map<String, Long> done() {
        TierSnapshot snapshot = tier.snapshot();
        return Map.of(
                "failures of a copier or evictor",
                failures(),
                "log directories with a tier",
                (long) logDirs.size(),
                "copies to the HDD",
                snapshot.copiedSegments(),
                "copies that failed",
                snapshot.copyFailures(),
                "evictions from the SSD",
                snapshot.evictedSegments(),
                "bytes appended on the SSD",
                snapshot.ssdWrittenBytes(),
                "bytes read from the SSD",
                snapshot.ssdUse().readBytes(),
                "bytes read from the HDD",
                snapshot.hddUse().readBytes(),
                "bytes of these that cold readers read",
                snapshot.coldReads().bytes(),
                "segments quarantined",
                snapshot.quarantinedSegments());
    }
}

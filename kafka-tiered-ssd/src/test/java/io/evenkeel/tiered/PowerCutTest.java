/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.file.FileReads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random lives whose power is cut at any operation, on disks that keep all fsynced bytes and any part of the rest.
 * Afterwards the broker must start and have all flushed records, also when an fsync has failed before. To show that the
 * test can fail, each fsync of the crash protocol is left out in turn, and the test must notice that.
 *
 * <p>{@code -Dpower.lives} is the number of lives, {@code -Dsimulated.hours} their virtual time at least,
 * {@code -Dseed} the first seed.
 */
@Tag("slow")
class PowerCutTest {
    private static final int LIVES = Integer.getInteger("power.lives", 50);
    private static final int ENOUGH_LIVES = 1_000;
    private static final long FIRST_SEED = Long.getLong("seed", 1);
    private static final int ACTIONS = 60;
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(2);

    /** A kill does most harm while a changed name is not durable yet, and a power cut even more. */
    private static final int FSYNCS_PER_KILL = 12;

    private static final int OTHERS_PER_KILL = 150;
    private static final int CHANGED_NAMES_PER_CUT = 3;
    private static final int OTHERS_PER_CUT = 30;

    /** When one is to fail. */
    private static final int FSYNCS_PER_FAILURE = 25;

    /**
     * When the fsync of an identity file fails, Kafka fails the log directory, with the files that it flushes there.
     */
    private static final Pattern OF_KAFKA = Pattern.compile(".* by IdentityFile\\..* hdd");

    /**
     * The fsyncs that are left out in turn, and the first seed whose life is known to notice; later ones are tried
     * after it.
     */
    private static final Map<String, Integer> FSYNCS = Map.ofEntries(
            Map.entry("CopyTicket.publish: directory hdd/*", 9),
            Map.entry("DiskEnsemble.release: directory ssd", 26),
            Map.entry("Evictor.evict: directory hdd/*", 109),
            Map.entry("Failover.leaveSsd: directory hdd/*", 608),
            Map.entry("PlanExecution.makeNamesDurable: directory hdd", 723),
            Map.entry("PlanExecution.makeNamesDurable: directory hdd/*", 63),
            Map.entry("OfflineLinkCopy.copy: file hdd", 5),
            Map.entry("OfflineLinkCopy.copy: file ssd", 243),
            Map.entry("IdentityFile.prepare: file hdd", 1),
            Map.entry("IdentityFile.prepare: file ssd", 1),
            Map.entry("IdentityFile.publish: directory hdd", 1),
            Map.entry("IdentityFile.publish: directory ssd", 1),
            Map.entry("OfflineDrain.makeNamesDurable: directory hdd", 696),
            Map.entry("OfflineDrain.makeNamesDurable: directory hdd/*", 13),
            Map.entry("Segment.beforeChange: directory hdd/*", 494),
            Map.entry("SegmentDeletion.run: directory hdd/*", 42),
            Map.entry("SegmentCopy.step: file hdd", 9),
            Map.entry("SegmentCopy.step: file ssd", 571),
            Map.entry("SegmentFiles.drop: directory hdd/*", 232),
            Map.entry("SegmentFiles.fsync: directory ssd", 1),
            Map.entry("SegmentFiles.fsync: directory ssd/*", 1),
            Map.entry("SegmentFiles.fsync: directory ssd/*/*", 3),
            Map.entry("Spill.toHdd: directory hdd/*", 59),
            Map.entry("Spill.toHdd: file hdd", 20));

    /** The process is gone; no code of ours may handle it. */
    private static final class Killed extends Error {
        private static final long serialVersionUID = 1;

        Killed(String operation) {
            super(operation);
        }
    }

    @TempDir
    Path dir = Path.of("target");

    private Path root = dir;
    private int cuts;
    private int kills;
    private int failedFsyncs;
    private long nanos;

    /** Names on the disks are absolute: what a cut leaves is looked at under the same path. */
    @BeforeEach
    void nameTheDisks() {
        root = dir.resolve("disks");
    }

    static Set<String> fsyncs() {
        return new TreeSet<>(FSYNCS.keySet());
    }

    @Test
    void nothingFlushedIsLost() throws Exception {
        Set<String> seen = new TreeSet<>();
        int lives = 0;
        for (; lives < LIVES || nanos < SimulatedHours.NANOS / 10; lives++) {
            seen.addAll(new Life(FIRST_SEED + lives, null, false).live());
        }
        System.out.printf("%d lives, %d kills, %d power cuts, -Dseed=%d%n", lives, kills, cuts, FIRST_SEED);
        SimulatedHours.print("PowerCutTest, kills and power cuts", FIRST_SEED, FIRST_SEED + lives - 1, nanos);
        assertThat(seen).isEqualTo(fsyncs());
    }

    @Test
    void fsyncThatFailedIsNotTrustedWhenItSucceedsLater() throws Exception {
        int lives = 0;
        for (; lives < LIVES || nanos < SimulatedHours.NANOS / 10; lives++) {
            new Life(FIRST_SEED + lives, null, true).live();
        }
        System.out.printf("%d failed fsyncs, %d power cuts, -Dseed=%d%n", failedFsyncs, cuts, FIRST_SEED);
        SimulatedHours.print("PowerCutTest, failed fsyncs", FIRST_SEED, FIRST_SEED + lives - 1, nanos);
        assertThat(failedFsyncs).isGreaterThan(LIVES / 2);
    }

    @ParameterizedTest
    @MethodSource("fsyncs")
    void eachFsyncThatIsLeftOutIsNoticed(String fsync) throws Exception {
        long firstSeed = Objects.requireNonNull(FSYNCS.get(fsync));
        for (int i = 0; i < ENOUGH_LIVES; i++) {
            try {
                new Life(firstSeed + i, fsync, false).live();
            } catch (AssertionError noticed) {
                System.out.printf("%s: noticed after %d cuts: %s%n", fsync, cuts, noticed.getMessage());
                return;
            }
        }
        throw new AssertionError(cuts + " cuts, and none noticed that this was left out: " + fsync);
    }

    /** One life; its disks are gone when it ends. */
    private final class Life {
        private final long seed;
        private final boolean failing;
        private final Random random;
        /** Of its own: pauses change no seed's operations. */
        private final Random pauses;

        private final Path present = dir.resolve("present");
        private final Path afterCut = dir.resolve("after-cut");
        private final VolatileDisks disks;
        private final FakeBroker broker;
        private final RandomLife life;
        private boolean begun;
        private boolean nameChanged;
        private @Nullable Killed killed;
        private String failure = "";

        /**
         * @param leftOut the fsync that does nothing, or null
         * @param failing whether one fsync fails
         */
        Life(long seed, @Nullable String leftOut, boolean failing) throws IOException {
            this.seed = seed;
            this.failing = failing;
            this.random = new Random(seed);
            this.pauses = new Random(seed);
            Files.createDirectories(present.resolve("hdd0"));
            Files.createDirectories(present.resolve("ssd0"));
            show(present);
            this.disks = new VolatileDisks(root, leftOut, this::before);
            this.broker = new FakeBroker(root, 1, 1, RandomLife.CAPACITY_BYTES, disks);
            this.life = new RandomLife(disks, broker, random);
        }

        private void show(Path tree) throws IOException {
            Files.deleteIfExists(root);
            Files.createSymbolicLink(root, tree);
        }

        /** Returns the names of all fsyncs. */
        Set<String> live() throws Exception {
            try {
                begun = true;
                for (int i = 0; i < ACTIONS && goesOn(); i++) {
                    broker.pass(pauses.nextLong(PAUSE_NANOS));
                }
                return disks.fsyncs();
            } catch (Exception e) {
                throw new IllegalStateException("-Dseed=" + seed, e);
            } finally {
                nanos += broker.nowNanos();
                disks.close();
                life.close();
                Files.deleteIfExists(root);
                deleteTree(present);
                deleteTree(afterCut);
            }
        }

        /** False when an fsync has failed, and the process that knows it is gone. */
        private boolean goesOn() throws Exception {
            try {
                if (killed == null) {
                    life.act();
                } else {
                    killed = null;
                    life.startAfterKill();
                }
            } catch (Killed gone) {
                kills++;
                return !disks.hasFailedFsync();
            } catch (IOException e) {
                if (!disks.hasFailedFsync()) {
                    throw e;
                }
                cut("the end of a broker that stopped with an error: " + e.getMessage());
                return false;
            }
            if (!disks.hasFailedFsync() || !hasFailedLogDir()) {
                return true;
            }
            cut("the end of a failed log directory");
            return false;
        }

        private boolean hasFailedLogDir() {
            return broker.listener.events.stream().anyMatch(event -> event.startsWith("storageError"));
        }

        private void before(String operation) throws IOException {
            if (!begun) {
                return;
            }
            if (killed != null) {
                throw killed;
            }
            if (random.nextInt(nameChanged ? CHANGED_NAMES_PER_CUT : OTHERS_PER_CUT) == 0) {
                cut(operation);
            }
            nameChanged = operation.startsWith("rename") || operation.startsWith("delete");
            boolean force = operation.startsWith("force");
            if (failing
                    && force
                    && !OF_KAFKA.matcher(operation).matches()
                    && !disks.hasFailedFsync()
                    && random.nextInt(FSYNCS_PER_FAILURE) == 0) {
                failedFsyncs++;
                failure = "after the failed " + operation + ", ";
                throw new IOException("made to fail: " + operation);
            }
            if (random.nextInt(force ? FSYNCS_PER_KILL : OTHERS_PER_KILL) == 0) {
                killed = new Killed(operation);
                throw killed;
            }
        }

        private void cut(String operation) {
            cuts++;
            try {
                deleteTree(afterCut);
                disks.cut(afterCut, random);
                show(afterCut);
                AfterCut.check(root, life, failure + "power cut " + cuts + " before " + operation + ", -Dseed=" + seed);
                show(present);
            } catch (IOException e) {
                throw new IllegalStateException("-Dseed=" + seed, e);
            }
        }
    }

    private static void deleteTree(Path tree) throws IOException {
        if (Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)) {
            for (Path child : FileReads.children(tree)) {
                deleteTree(child);
            }
        }
        Files.deleteIfExists(tree);
    }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.kafkapatches.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random lives whose power is cut at any operation, on disks that keep what was forced and any part of the rest. Afterwards
 * the broker must start, and have all that had been forced; and to show that this is a test, each force of the crash protocol
 * is left out in turn, and that must be noticed.
 *
 * <p>{@code -Dpower.lives} says how many lives, {@code -Dseed} where to begin.
 */
class PowerCutTest {
    private static final int LIVES = Integer.getInteger("power.lives", 100);
    private static final int ENOUGH_LIVES = 1_000;
    private static final long FIRST_SEED = Long.getLong("seed", 1);
    private static final int ACTIONS = 60;

    /** Names that have changed and are not durable yet are where a kill hurts, and a cut most of all. */
    private static final int FORCES_PER_KILL = 12;

    private static final int OTHERS_PER_KILL = 150;
    private static final int CHANGED_NAMES_PER_CUT = 3;
    private static final int OTHERS_PER_CUT = 30;

    /** Those that are left out in turn, and the first life in which that is known to be noticed; others are tried after it. */
    private static final Map<String, Integer> FORCES = Map.ofEntries(
            Map.entry("Drain.removeDirectories: directory ssd", 1),
            Map.entry("Evictor.isNameDurable: directory hdd/*", 290),
            Map.entry("Evictor.makeNameDurable: directory hdd/*", 101),
            Map.entry("FileLayer.createDirectories: directory ssd", 12),
            Map.entry("FileLayer.createDirectories: directory ssd/*", 12),
            Map.entry("Garbage.makeNamesDurable: directory hdd/*", 18),
            Map.entry("LinkReplacement.copy: file hdd", 1),
            Map.entry("LinkReplacement.copy: file ssd", 22),
            Map.entry("Mark.prepare: file hdd", 1),
            Map.entry("Mark.prepare: file ssd", 1),
            Map.entry("Mark.publish: directory hdd", 1),
            Map.entry("Mark.publish: directory ssd", 1),
            Map.entry("OfflineDrain.empty: directory ssd", 12),
            Map.entry("OfflineDrain.makeNamesDurable: directory hdd/*", 65),
            Map.entry("Segment.beforeChange: directory hdd/*", 1),
            Map.entry("Segment.deleted: directory hdd/*", 3),
            Map.entry("Segment.publish: directory hdd/*", 1),
            Map.entry("SegmentCopy.open: file ssd", 113),
            Map.entry("SegmentCopy.seal: file hdd", 1),
            Map.entry("SegmentOpener.newOnSsd: directory ssd/*/*", 1),
            Map.entry("Spill.toHdd: directory hdd/*", 21),
            Map.entry("Spill.toHdd: file hdd", 12));

    /**
     * Without one of these, another one still does its work unless that fails: the start removes empty directories from an
     * SSD and forces its root, and the drain of a stopped broker forces all directories before it removes a file.
     */
    private static final Set<String> DOUBLED = Set.of(
            "LinkReplacement.replace: directory hdd/*",
            "OfflineDrain.makeNamesDurable: directory hdd",
            "SegmentOpener.makeNamesDurable: directory ssd",
            "SegmentOpener.makeNamesDurable: directory ssd/*");

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

    /** Names on the disks are absolute: what a cut leaves is looked at under the same path. */
    @BeforeEach
    void nameTheDisks() {
        root = dir.resolve("disks");
    }

    static Set<String> forces() {
        return new TreeSet<>(FORCES.keySet());
    }

    @Test
    void nothingForcedIsLost() throws Exception {
        Set<String> seen = new TreeSet<>();
        for (int i = 0; i < LIVES; i++) {
            live(FIRST_SEED + i, null, seen);
        }
        System.out.printf("%d lives, %d kills, %d power cuts, -Dseed=%d%n", LIVES, kills, cuts, FIRST_SEED);
        seen.removeAll(DOUBLED);
        assertThat(seen).isEqualTo(forces());
    }

    @ParameterizedTest
    @MethodSource("forces")
    void eachForceThatIsLeftOutIsNoticed(String force) throws Exception {
        long firstSeed = Objects.requireNonNull(FORCES.get(force));
        for (int i = 0; i < ENOUGH_LIVES; i++) {
            try {
                live(firstSeed + i, force, new TreeSet<>());
            } catch (AssertionError noticed) {
                System.out.printf("%s: noticed after %d cuts: %s%n", force, cuts, noticed.getMessage());
                return;
            }
        }
        throw new AssertionError(cuts + " cuts, and nobody noticed that this was left out: " + force);
    }

    private void live(long seed, @Nullable String leftOut, Set<String> forces) throws Exception {
        new Life(seed, leftOut).live(forces);
    }

    /** One life; its disks are gone when it ends. */
    private final class Life {
        private final long seed;
        private final Random random;
        private final Path present = dir.resolve("present");
        private final Path afterCut = dir.resolve("after-cut");
        private final VolatileDisks disks;
        private final FakeBroker broker;
        private final RandomLife life;
        private boolean begun;
        private boolean nameChanged;
        private @Nullable Killed killed;

        Life(long seed, @Nullable String leftOut) throws IOException {
            this.seed = seed;
            this.random = new Random(seed);
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

        void live(Set<String> forces) throws Exception {
            try {
                begun = true;
                for (int i = 0; i < ACTIONS; i++) {
                    try {
                        if (killed != null) {
                            killed = null;
                            life.close();
                            life.start();
                        } else {
                            life.act();
                        }
                    } catch (Killed gone) {
                        kills++;
                    }
                }
            } catch (Exception e) {
                throw new IllegalStateException("-Dseed=" + seed, e);
            } finally {
                forces.addAll(disks.forces());
                disks.close();
                life.close();
                Files.deleteIfExists(root);
                deleteTree(present);
                deleteTree(afterCut);
            }
        }

        private void before(String operation) {
            if (!begun) {
                return;
            }
            if (killed != null) {
                throw killed;
            }
            if (random.nextInt(nameChanged ? CHANGED_NAMES_PER_CUT : OTHERS_PER_CUT) == 0) {
                cuts++;
                cut(operation);
            }
            nameChanged = operation.startsWith("rename") || operation.startsWith("delete");
            if (random.nextInt(operation.startsWith("force") ? FORCES_PER_KILL : OTHERS_PER_KILL) == 0) {
                killed = new Killed(operation);
                throw killed;
            }
        }

        private void cut(String operation) {
            try {
                deleteTree(afterCut);
                disks.cut(afterCut, random);
                show(afterCut);
                check("power cut " + cuts + " before " + operation + ", -Dseed=" + seed);
                show(present);
            } catch (IOException e) {
                throw new IllegalStateException("-Dseed=" + seed, e);
            }
        }

        private void check(String what) throws IOException {
            assertThat(RandomLife.generation(root)).as(what + ": the marks").isGreaterThanOrEqualTo(life.generation());
            FakeBroker restarted;
            try {
                restarted = new FakeBroker(root, 1, 1, RandomLife.CAPACITY_BYTES, new QuickFileLayer());
            } catch (IOException refused) {
                throw new AssertionError(what + ": " + refused.getMessage(), refused);
            }
            Map<Long, byte[]> found = read(restarted, what);
            life.forced().forEach((base, bytes) -> {
                byte[] there = found.getOrDefault(base, new byte[0]);
                int same = Arrays.mismatch(bytes, there);
                assertThat(same == -1 || same == bytes.length)
                        .as("%s: segment %d has %d of %d bytes", what, base, same, bytes.length)
                        .isTrue();
            });
            assertNothingElse(restarted, what);
        }

        private Map<Long, byte[]> read(FakeBroker restarted, String what) throws IOException {
            Map<Long, byte[]> found = new TreeMap<>();
            for (Path path : Recovery.children(root.resolve("hdd0/topic-0"))) {
                LogFileName name = LogFileName.parse(path);
                assertThat(name).as(what + " left " + path).isNotNull();
                if (name != null && name.isLive()) {
                    try (FileChannel channel = restarted.open(path)) {
                        found.put(name.baseOffset(), FakeBroker.read(channel));
                    }
                }
            }
            return found;
        }

        /** No orphan, no link that leads nowhere, and copies that are the same. */
        private void assertNothingElse(FakeBroker restarted, String what) throws IOException {
            DiskSurvey survey = DiskSurvey.take(restarted.identities(), restarted.ssds);
            assertThat(survey.problems()).as(what).isEmpty();
            for (FoundSegment segment : survey.segments()) {
                Path ssdFile = segment.ssdFile();
                if (ssdFile != null) {
                    assertThat(Files.mismatch(segment.path(), ssdFile))
                            .as(what + ": the copy of " + segment.path())
                            .isEqualTo(-1);
                }
            }
        }
    }

    private static void deleteTree(Path tree) throws IOException {
        if (Files.isDirectory(tree, LinkOption.NOFOLLOW_LINKS)) {
            for (Path child : Recovery.children(tree)) {
                deleteTree(child);
            }
        }
        Files.deleteIfExists(tree);
    }

    /** Does not wait for the device. */
    private static final class QuickFileLayer extends FileLayer {
        @Override
        public void syncDirectory(Path dir) {}

        @Override
        public void force(FileChannel channel) {}
    }
}

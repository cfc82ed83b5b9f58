/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.FakeBroker;
import io.evenkeel.tiered.FaultyFileOps;
import io.evenkeel.tiered.api.OnMissing;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.file.SegmentFileName;
import io.evenkeel.tiered.identity.IdentityFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A truncation that fails or is cut off at any step, and the order of its steps. */
@Tag("slow")
class InterruptedTruncationTest {
    private static final int ENOUGH = 1_000;

    @TempDir
    Path root;

    private DamagedLog log;

    @BeforeEach
    void start() throws IOException {
        log = new DamagedLog(root);
    }

    /** Whichever step is cut off or fails: the next start is refused again, or finds the log truncated. */
    @ParameterizedTest
    @EnumSource(FaultyFileOps.Fault.class)
    void startAfterAnInterruptedTruncationIsRefusedOrGoesOn(FaultyFileOps.Fault fault) throws Exception {
        for (int k = 1; k < ENOUGH; k++) {
            log = new DamagedLog(Files.createDirectories(root.resolve(fault + "-" + k)));
            log.life();
            log.lose(200);
            FaultyFileOps files = new FaultyFileOps(fault, k);
            log.broker.configure(OnMissing.TRUNCATE);
            try {
                log.broker.restart(files);
            } catch (FaultyFileOps.Killed | IOException e) {
                assertThat(files.hasFailed()).isTrue();
            }
            String what = fault + " at operation " + k + ": " + files.failed();
            boolean linked = Files.isSymbolicLink(FakeBroker.segment(log.partition, 200));
            assertThat(linked || !Files.exists(DamagedLog.cleanShutdownFile(log.broker.hdds.get(0))))
                    .as(what + ": a shorter log is never taken for complete")
                    .isTrue();
            assertThat(linked || !log.names().toString().contains("00000000000000000300"))
                    .as(what + ": no hole")
                    .isTrue();
            assertThat(isRefused()).as(what).isEqualTo(linked);
            log.restartTruncating();
            log.assertTruncatedTo(200);
            log.broker.restart();
            if (!files.hasFailed()) {
                assertThat(k).as("operations").isGreaterThan(20);
                return;
            }
        }
        throw new AssertionError("it never ended");
    }

    private boolean isRefused() {
        log.broker.configure(OnMissing.FAIL);
        try {
            log.broker.restart();
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    /** A power cut may keep any part of the removals, but none of a later step before an earlier one. */
    @Test
    void cleanShutdownFileIsRemovedFirstAndTheMissingLinkLast() throws Exception {
        log.life();
        log.lose(200);
        List<String> steps = new ArrayList<>();
        log.broker.configure(OnMissing.TRUNCATE);
        log.broker.restart(new FileOps() {
            @Override
            public boolean deleteIfExists(Path file) throws IOException {
                steps.add("delete " + SegmentFileName.nameOf(file));
                return super.deleteIfExists(file);
            }

            @Override
            public void rename(Path from, Path to) throws IOException {
                steps.add("rename " + root.relativize(to));
                super.rename(from, to);
            }

            @Override
            public void fsyncDirectory(Path dir) throws IOException {
                steps.add("sync " + root.relativize(dir));
                super.fsyncDirectory(dir);
            }
        });
        List<String> essential = List.of(
                "delete .kafka_cleanshutdown",
                "sync hdd0",
                "delete 00000000000000000300.log",
                "sync hdd0/topic-0",
                "rename hdd0/topic-0/00000000000000000200.log",
                "sync hdd0/topic-0",
                "rename ssd0/" + IdentityFile.FILE_NAME,
                "sync ssd0",
                "rename hdd0/" + IdentityFile.FILE_NAME);
        assertThat(steps).containsSubsequence(essential);
        assertThat(steps.indexOf("delete 00000000000000000350.snapshot"))
                .isLessThan(steps.indexOf("delete 00000000000000000300.log"));
        assertThat(Collections.frequency(steps, "delete 00000000000000000100.index"))
                .isZero();
    }
}

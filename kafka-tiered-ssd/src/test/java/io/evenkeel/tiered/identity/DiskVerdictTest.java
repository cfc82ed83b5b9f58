/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.LogDirMeta;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What a start decides from what it has seen, without a disk. */
class DiskVerdictTest {
    private static final Path SSD = Path.of("/ssd");
    private static final Path HDD = Path.of("/hdd");

    private static DiskVerdict verdict(SsdIdentity ssd, KnownSsds known) {
        return DiskVerdict.of(new SeenDisks(
                new LogDirMeta(HDD, "id-0", "cluster", "1"),
                Map.of(SSD, ssd),
                Map.of(HDD, known),
                Map.of(HDD, "id-0"),
                Set.of(),
                List.of()));
    }

    private static SsdIdentity ssd(SsdIdentity.Condition condition, String id, long generation) {
        return new SsdIdentity(SSD, condition, id, generation, Map.of());
    }

    private static KnownSsds known(long generation, String id) {
        return new KnownSsds(generation, Map.of(SSD, id), Set.of());
    }

    @Test
    void writesOfANewGenerationCanBePrinted() {
        DiskVerdict verdict = verdict(ssd(SsdIdentity.Condition.OURS, "a", 4), known(4, "a"));
        assertThat(verdict.problems()).isEmpty();
        assertThat(verdict.fault(HDD, SSD)).isNull();
        assertThat(verdict.writes(5))
                .extracting(IdentityWrite::toString)
                .containsExactly(
                        "ADVANCE /ssd {cluster.id=cluster, generation=5, node.id=1, ssd.id=a}",
                        "LOG_DIR /hdd {generation=5, ssd.a=/ssd}");
        assertThat(verdict.writes(4)).as("the generation stays").isEmpty();
    }

    @Test
    void emptyDirectoryIsClaimedOrReplacesAnotherSsd() {
        SsdIdentity blank = ssd(SsdIdentity.Condition.BLANK, "b", 0);
        DiskVerdict first = verdict(blank, new KnownSsds(0, Map.of(), Set.of()));
        assertThat(first.writes(1).get(0).kind()).isEqualTo(IdentityWrite.Kind.CLAIM);
        DiskVerdict replaced = verdict(blank, known(4, "a"));
        assertThat(replaced.writes(5).get(0).kind()).isEqualTo(IdentityWrite.Kind.REPLACE);
        assertThat(replaced.fault(HDD, SSD)).isEqualTo(LinkFault.BLANK);
    }

    @Test
    void emptyDirectoryThatUsedToBeAMountPointIsAProblem() {
        DiskVerdict verdict =
                verdict(ssd(SsdIdentity.Condition.BLANK, "b", 0), new KnownSsds(4, Map.of(SSD, "a"), Set.of(SSD)));
        assertThat(verdict.problems()).singleElement().asString().contains("not a mount point any more");
        assertThat(verdict.fault(HDD, SSD)).isEqualTo(LinkFault.PROBLEM);
    }

    @Test
    void ssdThatHasMissedAStartIsStaleAndMustCatchUpEvenIfTheGenerationStays() {
        DiskVerdict verdict = verdict(ssd(SsdIdentity.Condition.OURS, "a", 3), known(4, "a"));
        assertThat(verdict.fault(HDD, SSD)).isEqualTo(LinkFault.STALE);
        assertThat(verdict.writes(4)).extracting(IdentityWrite::kind).containsExactly(IdentityWrite.Kind.CATCH_UP);
    }

    @Test
    void logDirectoryThatHasMissedAStartOfWhichTheSsdHasFilesIsAProblem() {
        SsdIdentity ssd = new SsdIdentity(SSD, SsdIdentity.Condition.OURS, "a", 5, Map.of("id-0", 5L, "id-9", 9L));
        assertThat(verdict(ssd, known(5, "a")).problems()).isEmpty();
        DiskVerdict older = verdict(ssd, known(4, "a"));
        assertThat(older.problems()).singleElement().asString().contains("/hdd is older than /ssd");
        assertThat(older.olderLogDirs()).containsOnlyKeys(HDD);
    }

    @Test
    void ssdLearnsWhichLogDirectoriesHaveTheNewGeneration() {
        DiskVerdict verdict = verdict(ssd(SsdIdentity.Condition.OURS, "a", 4), known(4, "a"));
        assertThat(verdict.confirmed(5, Set.of(HDD)).get(SSD))
                .hasToString("{cluster.id=cluster, generation=5, log.dir.id-0=5, node.id=1, ssd.id=a}");
        assertThat(verdict.confirmed(5, Set.of()).get(SSD))
                .as("the log directory could not be written to")
                .hasToString("{cluster.id=cluster, generation=5, log.dir.id-0=4, node.id=1, ssd.id=a}");
    }
}

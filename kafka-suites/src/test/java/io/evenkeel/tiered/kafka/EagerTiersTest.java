/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.tiered.api.OpenRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.Condition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * When the harness's tiers work, and when they stand still. No worker runs here: each opening of a segment makes them
 * work.
 */
class EagerTiersTest {
    private static final OpenRequest REQUEST = new OpenRequest(1 << 20, 0, null);

    @TempDir
    Path dir = Path.of("target");

    private Path partition = dir;
    private EagerTiers tiers = new EagerTiers(Map.of("tiered.ssd.dirs", "/none", "tiered.ssd.capacity.bytes", "1"));

    @BeforeEach
    void twoDisks() throws IOException {
        partition = Files.createDirectories(dir.resolve("hdd/t-0"));
        tiers = new EagerTiers(Map.of(
                "tiered.ssd.dirs",
                Files.createDirectory(dir.resolve("ssd")).toString(),
                "tiered.ssd.capacity.bytes",
                "1000000000"));
    }

    @Test
    void copiesWhatIsSealedAtOnce() throws IOException {
        Path sealed = write(0);
        write(1);

        assertThat(sealed).isRegularFile().isNot(link());
    }

    /** A test that has ended may remove the directories of its open logs. */
    @Test
    void nothingIsCopiedDuringAStandstill() throws IOException {
        Path sealed = write(0);
        tiers.standStill();
        write(1);
        assertThat(sealed).is(link());

        tiers.goOn();
        write(2);
        assertThat(sealed).isNot(link());
    }

    @Test
    void goesOnWhenAllRemovalsHaveEnded() throws IOException {
        Path sealed = write(0);
        tiers.removalBegins();
        tiers.removalBegins();
        tiers.removalEnds();
        write(1);
        assertThat(sealed).is(link());

        tiers.removalEnds();
        write(2);
        assertThat(sealed).isNot(link());
    }

    private Path write(int baseOffset) throws IOException {
        Path file = partition.resolve("%020d.log".formatted(baseOffset));
        FileChannel channel = Objects.requireNonNull(tiers.open(file, REQUEST));
        channel.write(ByteBuffer.wrap("records".getBytes(UTF_8)));
        return file;
    }

    private static Condition<Path> link() {
        return new Condition<>(Files::isSymbolicLink, "a link");
    }
}

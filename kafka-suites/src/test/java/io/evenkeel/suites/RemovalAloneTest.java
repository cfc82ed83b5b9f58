/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.suites;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.tiered.kafka.TieredSsdHooks;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemovalAloneTest {
    @TempDir
    Path dir = Path.of("target");

    @AfterEach
    void standStill() {
        TieredSsdHooks.standStill();
    }

    @Test
    void nothingIsCopiedWhileDirectoriesAreRemoved() throws IOException {
        TieredSsdHooks.overrides(Map.of(
                "tiered.ssd.dirs",
                Files.createDirectory(dir.resolve("ssd")).toString(),
                "tiered.ssd.capacity.bytes",
                "1000000000"));
        RemovalAlone.weave();
        Path partition = Files.createDirectories(dir.resolve("hdd/t-0"));
        List<Boolean> links = new ArrayList<>();

        Utils.delete(removing(partition, () -> {
            Path sealed = write(partition, 0);
            write(partition, 1);
            links.add(Files.isSymbolicLink(sealed));
        }));
        assertThat(partition).doesNotExist();
        assertThat(links).containsExactly(true);

        Path other = Files.createDirectories(dir.resolve("another hdd/t-0"));
        Path sealed = write(other, 0);
        write(other, 1);
        await().until(() -> !Files.isSymbolicLink(sealed));
    }

    /** A directory that has this done once, when its removal is under way. */
    private static File removing(Path directory, Runnable meanwhile) {
        AtomicBoolean underWay = new AtomicBoolean();
        return new File(directory.toString()) {
            @Override
            public Path toPath() {
                if (!underWay.getAndSet(true)) {
                    meanwhile.run();
                }
                return super.toPath();
            }
        };
    }

    private static Path write(Path partition, int baseOffset) {
        Path file = partition.resolve("%020d.log".formatted(baseOffset));
        try {
            FileChannel channel =
                    Objects.requireNonNull(TieredSsdHooks.open(new File(file.toString()), true, false, 0, false));
            channel.write(ByteBuffer.wrap("records".getBytes(UTF_8)));
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

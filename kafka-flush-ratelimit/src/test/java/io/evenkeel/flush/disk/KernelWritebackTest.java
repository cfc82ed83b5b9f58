/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.flush.FlushSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class KernelWritebackTest {
    @Test
    void theKernelsExpiryIsReadWhereItIs(@TempDir Path dir) throws IOException {
        Path file = Files.writeString(dir.resolve("dirty_expire_centisecs"), "3000\n");
        assertThat(expireMs(file)).hasValue(30_000);
        assertThat(expireMs(dir.resolve("none"))).isEmpty();
    }

    /** The kernel gives such a number to a first read alone, and to one of a single byte its first digit. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void theKernelsExpiryIsReadWhole() throws IOException {
        Path file = Path.of("/proc/sys/vm/dirty_expire_centisecs");
        Process cat = new ProcessBuilder("cat", file.toString()).start();
        String centiseconds = new String(cat.getInputStream().readAllBytes(), UTF_8).trim();
        assertThat(expireMs(file)).hasValue(Long.parseLong(centiseconds + "0"));
    }

    @Test
    void warnsWhereTheKernelComesBeforeASync() {
        FlushSettings settings = settings(30000);
        assertThat(warning(settings, OptionalLong.of(29_990))).contains("29990 ms", "vm.dirty_expire_centisecs=3000");
        assertThat(warning(settings, OptionalLong.of(30_000))).as("Linux's own").isNull();
        FlushSettings narrow = settings(1000);
        assertThat(warning(narrow, OptionalLong.of(10_000)))
                .as("far above the bound")
                .isNull();
        assertThat(warning(narrow, OptionalLong.of(9_990))).isNotNull();
        assertThat(warning(settings, OptionalLong.empty())).isNull();
    }

    @Test
    void interferesWhereItsExpiryIsNotFarAboveTheBound() {
        FlushSettings settings = settings(30000);
        assertThat(new KernelWriteback(OptionalLong.of(299_999)).interferes(settings))
                .isTrue();
        assertThat(new KernelWriteback(OptionalLong.of(300_000)).interferes(settings))
                .isFalse();
        assertThat(new KernelWriteback(OptionalLong.empty()).interferes(settings))
                .isFalse();
    }

    private static FlushSettings settings(long maxUnflushedMs) {
        return new FlushSettings(64 << 20, maxUnflushedMs, 2 << 20, FlushSettings.UNLIMITED, 0, true, false);
    }

    private static OptionalLong expireMs(Path file) {
        return KernelWriteback.of(file).expireMs();
    }

    private static @Nullable String warning(FlushSettings settings, OptionalLong expireMs) {
        return new KernelWriteback(expireMs).warning(settings);
    }
}

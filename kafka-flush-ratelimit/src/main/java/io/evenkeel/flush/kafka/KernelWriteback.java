/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import io.evenkeel.flush.FlushSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * When the kernel writes by itself what a file has dirty. Immutable.
 *
 * <p>A log that is always written to is never all clean, so the kernel's clock for it goes on, however soon each byte
 * is forced: how often it writes all at once is what counts.
 *
 * @param expireMs how long a file is on the kernel's list of dirty ones before that; empty where the kernel does not
 *     tell
 */
record KernelWriteback(OptionalLong expireMs) {
    private static final Path DIRTY_EXPIRE = Path.of("/proc/sys/vm/dirty_expire_centisecs");
    private static final int MS_PER_CENTISECOND = 10;
    /** What a sync is in time for. */
    private static final int EXPIRE_OF_LINUX_MS = 30_000;
    /** How many times the bound it is when it hardly matters. */
    private static final int FAR = 10;

    static KernelWriteback ofLinux() {
        return of(DIRTY_EXPIRE);
    }

    static KernelWriteback of(Path file) {
        try {
            // not readString, which begins with a single byte: the kernel answers the first read alone
            String centiseconds = String.join("", Files.readAllLines(file)).trim();
            return new KernelWriteback(OptionalLong.of(Long.parseLong(centiseconds) * MS_PER_CENTISECOND));
        } catch (IOException | NumberFormatException notLinux) {
            return new KernelWriteback(OptionalLong.empty());
        }
    }

    /** Whether it comes often enough to be kept away by syncs. */
    boolean interferes(FlushSettings settings) {
        return expireMs.isPresent() && expireMs.getAsLong() / FAR < settings.maxUnflushedMs();
    }

    /** Null when a sync can keep it away, or need not. */
    @Nullable
    String warning(FlushSettings settings) {
        if (!interferes(settings) || expireMs.getAsLong() >= EXPIRE_OF_LINUX_MS) {
            return null;
        }
        return "The kernel writes by itself what has been dirty for " + expireMs.getAsLong()
                + " ms (vm.dirty_expire_centisecs), all of it at once, each time that this is over, which is sooner than a sync keeps it "
                + "from that; flushing by rate is to be smoother. Set it to Linux's own 30 s or more: "
                + "sysctl -w vm.dirty_expire_centisecs=3000";
    }
}

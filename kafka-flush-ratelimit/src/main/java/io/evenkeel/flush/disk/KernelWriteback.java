/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import io.evenkeel.flush.FlushSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's own writeback of dirty files. Immutable.
 *
 * <p>A log that takes appends all the time is never completely clean. So the kernel's clock for its file goes on,
 * however soon each byte is flushed, and the expiry says how often the kernel writes everything at once.
 *
 * @param expireMs how long a file stays on the kernel's list of dirty files before the kernel writes it; empty where
 *     the kernel does not say
 */
public record KernelWriteback(OptionalLong expireMs) {
    private static final Path DIRTY_EXPIRE = Path.of("/proc/sys/vm/dirty_expire_centisecs");
    private static final int MS_PER_CENTISECOND = 10;
    /** With this expiry or a longer one, a syncfs comes in time. */
    private static final int EXPIRE_OF_LINUX_MS = 30_000;
    /** An expiry of this many times the bound in time hardly matters. */
    private static final int FAR = 10;

    /** Reads the expiry of this machine. */
    public static KernelWriteback ofLinux() {
        return of(DIRTY_EXPIRE);
    }

    static KernelWriteback of(Path file) {
        try {
            // not readString, which begins with a read of one byte: the kernel answers the first read only
            String centiseconds = String.join("", Files.readAllLines(file)).trim();
            return new KernelWriteback(OptionalLong.of(Long.parseLong(centiseconds) * MS_PER_CENTISECOND));
        } catch (IOException | NumberFormatException notLinux) {
            return new KernelWriteback(OptionalLong.empty());
        }
    }

    /** Whether the kernel writes often enough that syncfs calls should prevent it. */
    public boolean interferes(FlushSettings settings) {
        return expireMs.isPresent() && expireMs.getAsLong() / FAR < settings.maxUnflushedMs();
    }

    /** A warning for the operator. Null when syncfs calls can prevent the bursts, or need not. */
    public @Nullable String warning(FlushSettings settings) {
        if (!interferes(settings) || expireMs.getAsLong() >= EXPIRE_OF_LINUX_MS) {
            return null;
        }
        return "vm.dirty_expire_centisecs is " + expireMs.getAsLong()
                + " ms, too short to prevent kernel write bursts; "
                + "set it to 3000 or more: sysctl -w vm.dirty_expire_centisecs=3000";
    }
}

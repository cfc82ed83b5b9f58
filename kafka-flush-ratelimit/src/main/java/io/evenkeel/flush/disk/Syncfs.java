/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The syncfs system call, which writes back a whole file system, beside all other work. Confined to one worker.
 *
 * <p>Java cannot make this call, so a process of the system's {@code sync -f} does. Durability never relies on it: only
 * a flush makes bytes durable.
 */
final class Syncfs {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");

    /** A single call may fail because its file has just been deleted. */
    private static final int MOST_FAILURES = 3;

    private final List<String> command;
    private @Nullable Process last;
    private int failures;

    Syncfs() {
        this(List.of("sync", "-f"));
    }

    /** @param command gets the file as its last argument */
    Syncfs(List<String> command) {
        this.command = command;
    }

    /**
     * Begins a syncfs of the file system that holds the file, or the file behind a link, unless the last one still
     * runs.
     *
     * @return false when this machine cannot do that
     */
    boolean begin(Path file) {
        Process before = last;
        if (before != null && before.isAlive()) {
            return true;
        }
        failures = before == null || before.exitValue() == 0 ? 0 : failures + 1;
        if (failures == MOST_FAILURES) {
            return cannot("it failed " + MOST_FAILURES + " times in a row", null);
        }
        List<String> all = new ArrayList<>(command);
        all.add(file.toString());
        try {
            last = new ProcessBuilder(all)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException e) {
            return cannot(e.toString(), e);
        }
    }

    /** For tests: waits until the last one is over. */
    void await() throws InterruptedException {
        Process running = last;
        if (running != null) {
            running.waitFor();
        }
    }

    private boolean cannot(String why, @Nullable Exception cause) {
        LOG.warn(
                "Cannot run {} ({}). No data is at risk, but the kernel now writes dirty pages in bursts, each time "
                        + "that vm.dirty_expire_centisecs is over. Install the command (coreutils or busybox) and "
                        + "restart the broker, or set the expiry to an hour: sysctl -w "
                        + "vm.dirty_expire_centisecs=360000",
                String.join(" ", command),
                why,
                cause);
        return false;
    }
}

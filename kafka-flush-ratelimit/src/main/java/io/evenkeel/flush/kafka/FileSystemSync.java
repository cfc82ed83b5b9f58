/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.kafka;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a file system written back as a whole, beside whatever else is done. Confined to one worker.
 *
 * <p>Java has no call for that, so it is the system's {@code sync -f}, a process of its own. Nothing relies on it: what
 * is durable is what was forced.
 */
final class FileSystemSync {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");

    /** One may fail because its file has just been deleted. */
    private static final int MOST_FAILURES = 3;

    private final List<String> command;
    private @Nullable Process last;
    private int failures;

    FileSystemSync() {
        this(List.of("sync", "-f"));
    }

    /** The file is appended to the command. */
    FileSystemSync(List<String> command) {
        this.command = command;
    }

    /**
     * Begins a sync of the file system that the file, or what it links to, is on, unless the last one still runs.
     *
     * @return false when that cannot be done on this machine
     */
    boolean begin(Path file) {
        Process before = last;
        if (before != null && before.isAlive()) {
            return true;
        }
        failures = before == null || before.exitValue() == 0 ? 0 : failures + 1;
        if (failures == MOST_FAILURES) {
            return cannot("it failed " + MOST_FAILURES + " times one after the other", null);
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

    /** For tests: until the last one is over. */
    void await() throws InterruptedException {
        Process running = last;
        if (running != null) {
            running.waitFor();
        }
    }

    private boolean cannot(String why, @Nullable Exception cause) {
        LOG.warn(
                "{} cannot be run ({}), so the kernel writes by itself, in bursts, what has been dirty for "
                        + "vm.dirty_expire_centisecs. No data is at risk, but writes are less smooth. Install it (coreutils or "
                        + "busybox) and restart the broker, or set that to an hour: sysctl -w vm.dirty_expire_centisecs=360000",
                String.join(" ", command),
                why,
                cause);
        return false;
    }
}

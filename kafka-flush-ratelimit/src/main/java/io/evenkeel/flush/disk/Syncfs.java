/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.flush.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The syncfs system call, which writes back a whole file system, beside all other work. Confined to one worker.
 *
 * <p>Java cannot make this call, so a process of the system's {@code sync -f} does. Durability never relies on it: only
 * a flush makes bytes durable. A call that fails is tried again at the next occasion.
 */
final class Syncfs {
    private static final Logger LOG = LoggerFactory.getLogger("io.evenkeel.flush");

    /** A single call may fail because its file has just been deleted. */
    private static final int FAILURES_TO_REPORT = 3;

    private static final long QUIET_NANOS = TimeUnit.HOURS.toNanos(1);

    private final List<String> command;
    private final FlushCounts counts;
    private @Nullable Process running;
    private int failuresInARow;
    private boolean reported;
    private long reportedNanos;

    Syncfs(FlushCounts counts) {
        this(List.of("sync", "-f"), counts);
    }

    /** @param command gets the file as its last argument */
    Syncfs(List<String> command, FlushCounts counts) {
        this.command = command;
        this.counts = counts;
    }

    /** Begins a syncfs of the file system that holds the file, or the file behind a link, unless one still runs. */
    void begin(Path file, long nowNanos) {
        if (isRunning(nowNanos)) {
            return;
        }
        List<String> all = new ArrayList<>(command);
        all.add(file.toString());
        try {
            running = new ProcessBuilder(all)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            failed(e.toString(), nowNanos);
        }
    }

    /** Whether the last one still runs. Counts it when it has ended. */
    boolean isRunning(long nowNanos) {
        Process last = running;
        if (last == null) {
            return false;
        }
        if (last.isAlive()) {
            return true;
        }
        running = null;
        if (last.exitValue() == 0) {
            failuresInARow = 0;
            counts.increment(FlushCounter.SYNCS);
        } else {
            failed("exit code " + last.exitValue(), nowNanos);
        }
        return false;
    }

    private void failed(String why, long nowNanos) {
        counts.increment(FlushCounter.SYNC_FAILURES);
        failuresInARow++;
        if (failuresInARow >= FAILURES_TO_REPORT && (!reported || nowNanos - reportedNanos > QUIET_NANOS)) {
            reported = true;
            reportedNanos = nowNanos;
            LOG.warn(
                    "{} failed {} times in a row ({}). No data is at risk, but until it works the kernel writes dirty"
                            + " pages in bursts, each time that vm.dirty_expire_centisecs is over. The broker goes on"
                            + " trying. See that the command is installed (coreutils or busybox) and that the broker"
                            + " may start processes.",
                    String.join(" ", command),
                    failuresInARow,
                    why);
        }
    }

    /** For tests: waits until the last one is over, and counts it. */
    void await() throws InterruptedException {
        Process last = running;
        if (last != null) {
            last.waitFor();
            isRunning(System.nanoTime());
        }
    }
}

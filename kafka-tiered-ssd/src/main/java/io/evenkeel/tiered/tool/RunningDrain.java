/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.inspect.DiskSurvey;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Looks on while a running broker drains its SSDs, until there is nothing left on them. Made for one run. */
final class RunningDrain {
    private static final long LOOK_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long STUCK_NANOS = TimeUnit.MINUTES.toNanos(5);

    /**
     * What {@code --json} prints at the end.
     *
     * @param links segments that are on the SSDs alone
     * @param ssdBytes what is used on the SSDs
     */
    record Report(long links, long ssdBytes) {
        static Report of(DiskSurvey survey) {
            return new Report(
                    survey.links().size(),
                    survey.usedBytes().values().stream()
                            .mapToLong(Long::longValue)
                            .sum());
        }

        boolean isEmpty() {
            return links == 0 && ssdBytes == 0;
        }
    }

    private final BrokerDisks disks;
    private final Output output;
    private final Thread goodbye = new Thread(this::sayHowToGoOn, "say-how-to-go-on");

    RunningDrain(BrokerDisks disks, Output output) {
        this.disks = disks;
        this.output = output;
    }

    int run() throws IOException, InterruptedException {
        output.progress("node " + disks.nodeId() + " drains its SSDs; Ctrl-C does not stop it");
        Runtime.getRuntime().addShutdownHook(goodbye);
        try {
            Report report = awaitEmpty();
            output.report(report);
            output.line("No link is left and nothing is on the SSD: remove the tiered.ssd.* keys and restart the broker"
                    + " without the agent, and the SSD can go.");
            return CommandLine.OK;
        } finally {
            removeGoodbye();
        }
    }

    private Report awaitEmpty() throws IOException, InterruptedException {
        Report before = null;
        long movedNanos = System.nanoTime();
        while (true) {
            long lookedNanos = System.nanoTime();
            Report now = Report.of(disks.look());
            if (now.isEmpty()) {
                return now;
            }
            if (!now.equals(before)) {
                movedNanos = lookedNanos;
                output.progress(now.links() + " segments are on the SSD alone; " + Output.size(now.ssdBytes())
                        + " are used there");
            } else if (lookedNanos - movedNanos > STUCK_NANOS) {
                movedNanos = lookedNanos;
                output.progress("nothing has left the SSD for " + TimeUnit.NANOSECONDS.toMinutes(STUCK_NANOS)
                        + " minutes; the broker's log may say why");
            }
            before = now;
            // With very many segments a look takes its time, and the disks have better things to do.
            TimeUnit.NANOSECONDS.sleep(Math.max(LOOK_EVERY_NANOS, 10 * (System.nanoTime() - lookedNanos)));
        }
    }

    private void sayHowToGoOn() {
        output.progress(
                "The broker goes on draining. To look on again, run the same command; to stop it, add --cancel.");
    }

    private void removeGoodbye() {
        try {
            Runtime.getRuntime().removeShutdownHook(goodbye);
        } catch (IllegalStateException e) {
            // the JVM is going down, and it has been said
        }
    }
}

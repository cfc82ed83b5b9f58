/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.inspect.DiskSurvey;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Shows the progress while a running broker drains its SSDs, until they are empty. Made for one run. */
final class RunningDrain {
    private static final long SCAN_EVERY_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long STUCK_NANOS = TimeUnit.MINUTES.toNanos(5);

    /**
     * The output of {@code --json} at the end.
     *
     * @param links the number of segments that are only on the SSDs
     * @param ssdBytes the bytes of this broker's files on the SSDs
     * @param left what else there is on the SSDs
     */
    record Report(long links, long ssdBytes, List<String> left) {
        static Report of(DiskSurvey survey) {
            return new Report(
                    survey.links().size(),
                    sum(survey.usedBytes()) - sum(survey.unknownBytes()),
                    survey.unknownBytes().keySet().stream()
                            .map(Path::toString)
                            .sorted()
                            .toList());
        }

        private static long sum(Map<Path, Long> bytes) {
            return bytes.values().stream().mapToLong(Long::longValue).sum();
        }

        boolean isEmpty() {
            return links == 0 && ssdBytes == 0;
        }
    }

    private final BrokerDisks disks;
    private final TierSwitch tierSwitch;
    private final Output output;
    private final Thread goodbye = new Thread(this::sayHowToGoOn, "say-how-to-go-on");

    RunningDrain(BrokerDisks disks, TierSwitch tierSwitch, Output output) {
        this.disks = disks;
        this.tierSwitch = tierSwitch;
        this.output = output;
    }

    int run() throws IOException, InterruptedException {
        output.progress("node " + disks.nodeId() + " drains its SSDs; Ctrl-C does not stop the drain");
        Runtime.getRuntime().addShutdownHook(goodbye);
        try {
            Report report = awaitEmpty();
            output.report(report);
            if (report.left().isEmpty()) {
                output.line("No link is left and the SSD directories are empty.");
            } else {
                output.line("No link is left. These stay on the SSD, because they belong to no segment of this broker;"
                        + " look at them before you remove or reuse the SSD:");
                report.left().forEach(path -> output.line("  " + path));
            }
            output.line("To remove the SSD, remove the tiered.ssd.* keys and restart the broker without the agent.");
            return CommandLine.OK;
        } finally {
            removeGoodbye();
        }
    }

    private Report awaitEmpty() throws IOException, InterruptedException {
        Report before = null;
        long movedNanos = System.nanoTime();
        while (true) {
            long scanNanos = System.nanoTime();
            Report now = Report.of(disks.scan());
            if (now.isEmpty()) {
                return now;
            }
            if (!now.equals(before)) {
                movedNanos = scanNanos;
                output.progress(Output.count(now.links(), "segment") + " only on the SSD, "
                        + Output.size(now.ssdBytes()) + " used there");
            } else if (scanNanos - movedNanos > STUCK_NANOS) {
                movedNanos = scanNanos;
                output.progress("no segment has left the SSD for " + TimeUnit.NANOSECONDS.toMinutes(STUCK_NANOS)
                        + " minutes; check the broker's log for errors");
            }
            if (!tierSwitch.drains()) {
                throw new IOException("Somebody has changed tiered.ssd.mode: the broker does not drain any more, and "
                        + Output.count(now.links(), "segment") + " are only on the SSD. To go on, run this again.");
            }
            before = now;
            // With very many segments a scan is slow; it must not take the disks' time from the broker.
            TimeUnit.NANOSECONDS.sleep(Math.max(SCAN_EVERY_NANOS, 10 * (System.nanoTime() - scanNanos)));
        }
    }

    private void sayHowToGoOn() {
        output.progress("The broker goes on draining. To see the progress again, run the same command; to stop it,"
                + " add --cancel.");
    }

    private void removeGoodbye() {
        try {
            Runtime.getRuntime().removeShutdownHook(goodbye);
        } catch (IllegalStateException e) {
            // the JVM is shutting down, and the hook has printed it
        }
    }
}

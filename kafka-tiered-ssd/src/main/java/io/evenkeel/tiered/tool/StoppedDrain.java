/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkeel.tiered.tool;

import io.evenkeel.tiered.api.LogDirMeta;
import io.evenkeel.tiered.disk.LogDirLocks;
import io.evenkeel.tiered.file.FileOps;
import io.evenkeel.tiered.inspect.OfflineDrain;
import io.evenkeel.tiered.inspect.SurveyedSegment;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.LongAdder;

/** The drain of a stopped broker: one thread copies for each log directory. Made for one run. */
final class StoppedDrain {
    private static final long SAY_EVERY_SECONDS = 2;

    /**
     * The output of {@code --json}.
     *
     * @param copiedSegments the number of segments that were only on the SSDs
     * @param failed segments that the SSD could not read, which keep their links
     * @param left what stays in the SSD directories although no link leads there
     */
    record Report(long copiedSegments, long copiedBytes, List<Line> failed, List<Line> left) {}

    /** A file or directory, and what is wrong with it. */
    record Line(String path, String why) {
        static List<Line> of(List<OfflineDrain.Left> left) {
            return left.stream()
                    .map(each -> new Line(each.path().toString(), each.why()))
                    .toList();
        }
    }

    private final BrokerDisks disks;
    private final Output output;
    private final LongAdder copiedSegments = new LongAdder();
    private final LongAdder copiedBytes = new LongAdder();

    StoppedDrain(BrokerDisks disks, Output output) {
        this.disks = disks;
        this.output = output;
    }

    int run() throws IOException, InterruptedException {
        if (!disks.unreadable().isEmpty()) {
            throw new IOException("A log directory cannot be read and may have links to the SSD; nothing has been"
                    + " changed. Make it readable, then run the drain again: "
                    + disks.unreadable().get(0).detail());
        }
        requireSameUser();
        Report report;
        LogDirLocks locks =
                LogDirLocks.take(disks.logDirs(), "stop it, or drain it while it runs with --bootstrap-server");
        try (locks) {
            OfflineDrain drain = new OfflineDrain(
                    new FileOps(), disks.logDirs(), disks.settings().ssdDirs());
            requireRoom(drain);
            copy(drain);
            List<Line> left = Line.of(drain.emptySsds());
            report = new Report(copiedSegments.sum(), copiedBytes.sum(), Line.of(drain.failed()), left);
        }
        output.report(report);
        show(report);
        return report.failed().isEmpty() ? CommandLine.OK : CommandLine.CANNOT;
    }

    /** Root would follow whatever links it finds, and leave files that the broker cannot open. */
    private void requireSameUser() throws IOException {
        Path self = Path.of("/proc/self");
        if (!Files.exists(self)) {
            return;
        }
        UserPrincipal user = Files.getOwner(self);
        for (LogDirMeta logDir : disks.logDirs()) {
            UserPrincipal owner = Files.getOwner(logDir.path());
            if (!owner.equals(user)) {
                throw new IOException(logDir.path() + " belongs to " + owner.getName() + ", but this is "
                        + user.getName() + "; run the command as " + owner.getName() + ", as in: sudo -u "
                        + owner.getName());
            }
        }
    }

    private void requireRoom(OfflineDrain drain) throws IOException {
        for (LogDirMeta logDir : disks.logDirs()) {
            long neededBytes = bytes(drain.links(logDir.path()));
            long freeBytes = logDir.path().toFile().getUsableSpace();
            if (neededBytes > freeBytes) {
                throw new IOException(
                        "The HDD has too little free space for the segments on the SSD; nothing has been changed."
                                + " Free some space:"
                                + " needed=" + Output.size(neededBytes) + " free=" + Output.size(freeBytes)
                                + " directory=" + logDir.path());
            }
        }
    }

    private void copy(OfflineDrain drain) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(disks.logDirs().size());
        try {
            List<Future<?>> copies = new ArrayList<>();
            List<SurveyedSegment> all = new ArrayList<>();
            for (LogDirMeta logDir : disks.logDirs()) {
                all.addAll(drain.links(logDir.path()));
                copies.add(threads.submit(() -> {
                    drain.copyLinks(logDir.path(), this::copied);
                    return null;
                }));
            }
            for (Future<?> copy : copies) {
                await(copy, all.size(), bytes(all));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private void copied(long bytes) {
        copiedSegments.increment();
        copiedBytes.add(bytes);
    }

    private void await(Future<?> copy, int segments, long bytes) throws IOException, InterruptedException {
        while (true) {
            try {
                copy.get(SAY_EVERY_SECONDS, TimeUnit.SECONDS);
                return;
            } catch (TimeoutException e) {
                output.progress("copied " + copiedSegments + " of " + segments + " segments, "
                        + Output.size(copiedBytes.sum()) + " of " + Output.size(bytes));
            } catch (ExecutionException e) {
                throw new IOException(
                        e.getCause() instanceof Exception cause
                                ? CommandLine.inOneLine(cause)
                                : String.valueOf(e.getCause()),
                        e);
            }
        }
    }

    private static long bytes(List<SurveyedSegment> segments) {
        return segments.stream().mapToLong(SurveyedSegment::sizeBytes).sum();
    }

    private void show(Report report) {
        String copied = "Copied " + Output.count(report.copiedSegments(), "segment") + " ("
                + Output.size(report.copiedBytes()) + ") to the HDD. ";
        if (!report.failed().isEmpty()) {
            output.line(copied + "The SSD cannot read all. These links stay, and so do all files on the SSD:");
            show(report.failed());
            output.line("Run this again: a device may read at the second try. If the SSD is lost for good, put an empty"
                    + " one in its place and start once with tiered.ssd.on.missing=truncate: it truncates only the"
                    + " partitions of these files.");
        } else if (report.left().isEmpty()) {
            output.line(copied + "No link is left.");
            output.line("The SSD directories are empty. To remove the SSD, remove the tiered.ssd.* keys first.");
        } else {
            output.line(copied + "No link is left, so no segment needs the SSD any more.");
            output.line("These stay on the SSD, and so do the identity files:");
            show(report.left());
        }
    }

    private void show(List<Line> lines) {
        lines.forEach(line -> output.line("  " + line.path() + ": " + line.why()));
    }
}
